import type { Queryable } from '#core'

/** How long a process that says nothing keeps the turn; longer than a request for updates takes. */
const turn = `interval '60 seconds'`
/** Telegram counts anew after a week without updates, and keeps none for more than a day. */
const recounted = `interval '6 days'`

export interface Turn {
  /** The first update that was not handled yet; 0 for whatever there is. */
  next_update_id: number
  /** Of this command it is not known whether it was carried out. */
  begun_update_id: number | null
}

/**
 * Takes the turn to poll a bot, or keeps it; undefined while another process has it. The job that had it gets it back
 * at once: its process is gone. `job_ids`: the job that polls, and others that stand for it.
 */
export async function takePollTurn(
  db: Queryable,
  bot: string,
  { job_ids, claim, isAlone }: { job_ids: readonly string[]; claim: string; isAlone: boolean }
): Promise<Turn | undefined> {
  const [row] = await db.query<Turn>(
    `insert into notify_pollers as present (bot, job_id, claim, turn_ends_at) values ($1, ($2::uuid[])[1], $3, now() + ${turn})
     on conflict (bot) do update set job_id = ($2::uuid[])[1], claim = $3, turn_ends_at = now() + ${turn}
       where present.claim = $3 or present.job_id = any ($2::uuid[]) or present.turn_ends_at < now() or $4
     returning begun_update_id,
       case when updated_at < now() - ${recounted} then 0 else next_update_id end as next_update_id`,
    [bot, job_ids, claim, isAlone]
  )
  return row
}

/** Lets another process have the turn at once. */
export async function leaveTurn(db: Queryable, claim: string): Promise<void> {
  await db.query('update notify_pollers set turn_ends_at = now() where claim = $1', [claim])
}

/** True while no process has the turn. */
export async function isTurnFree(db: Queryable, bot: string): Promise<boolean> {
  const rows = await db.query('select from notify_pollers where bot = $1 and turn_ends_at >= now()', [bot])
  return rows.length === 0
}

/** Notes that a command is carried out next; false when the turn went elsewhere. */
export async function beginUpdate(db: Queryable, bot: string, claim: string, update_id: number): Promise<boolean> {
  const rows = await db.query(
    'update notify_pollers set begun_update_id = $3 where bot = $1 and claim = $2 returning bot',
    [bot, claim, update_id]
  )
  return rows.length > 0
}

/** Notes that an update is done with; false when the turn went elsewhere. */
export async function endUpdate(db: Queryable, bot: string, claim: string, update_id: number): Promise<boolean> {
  const rows = await db.query(
    `update notify_pollers set next_update_id = $3::bigint + 1, begun_update_id = null, updated_at = now()
     where bot = $1 and claim = $2 returning bot`,
    [bot, claim, update_id]
  )
  return rows.length > 0
}
