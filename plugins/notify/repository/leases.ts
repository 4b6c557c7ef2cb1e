import type { Queryable } from '#core'

/** Validity of a lease; longer than a request for updates. */
const leaseTime = `interval '60 seconds'`
/** Telegram restarts its ids after a week without updates, and stores none for more than a day. */
const countReset = `interval '6 days'`

export interface Lease {
  /** The first update that is not handled yet; 0 for any. */
  next_update_id: number
  /** The command of which it is unknown whether it was run. */
  begun_update_id: number | null
}

/**
 * Takes or renews the lease to poll a bot; undefined while another process has it. The job that had it gets it back at
 * once, because its process died. `job_ids` are the polling job and later ones that found it running.
 */
export async function takeLease(
  db: Queryable,
  bot: string,
  { job_ids, claim, isAlone }: { job_ids: readonly string[]; claim: string; isAlone: boolean }
): Promise<Lease | undefined> {
  const [row] = await db.query<Lease>(
    `insert into notify_pollers as present (bot, job_id, claim, lease_expires_at) values ($1, ($2::uuid[])[1], $3, now() + ${leaseTime})
     on conflict (bot) do update set job_id = ($2::uuid[])[1], claim = $3, lease_expires_at = now() + ${leaseTime}
       where present.claim = $3 or present.job_id = any ($2::uuid[]) or present.lease_expires_at < now() or $4
     returning begun_update_id,
       case when updated_at < now() - ${countReset} then 0 else next_update_id end as next_update_id`,
    [bot, job_ids, claim, isAlone]
  )
  return row
}

/** Lets another process take the lease at once. */
export async function releaseLease(db: Queryable, claim: string): Promise<void> {
  await db.query('update notify_pollers set lease_expires_at = now() where claim = $1', [claim])
}

/** True while no process has the lease. */
export async function isLeaseFree(db: Queryable, bot: string): Promise<boolean> {
  const rows = await db.query('select from notify_pollers where bot = $1 and lease_expires_at >= now()', [bot])
  return rows.length === 0
}

/** Records that a command is run next. False when the lease is lost. */
export async function beginUpdate(db: Queryable, bot: string, claim: string, update_id: number): Promise<boolean> {
  const rows = await db.query(
    'update notify_pollers set begun_update_id = $3 where bot = $1 and claim = $2 returning bot',
    [bot, claim, update_id]
  )
  return rows.length > 0
}

/** Records that an update is finished. False when the lease is lost. */
export async function endUpdate(db: Queryable, bot: string, claim: string, update_id: number): Promise<boolean> {
  const rows = await db.query(
    `update notify_pollers set next_update_id = $3::bigint + 1, begun_update_id = null, updated_at = now()
     where bot = $1 and claim = $2 returning bot`,
    [bot, claim, update_id]
  )
  return rows.length > 0
}
