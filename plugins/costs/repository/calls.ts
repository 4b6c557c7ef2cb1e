import type { Queryable, Tx } from '#core'
import type { CallKind, CallUsage, Purpose } from '../calls.ts'
import { type Amount, formatAmount, parseAmount } from '../money.ts'

/** Where an amount is from: the price of the reported usage, the worst case, nothing charged, or a correction. */
export type Basis = 'usage' | 'worst_case' | 'nothing' | 'correction'

/** What a call counts in. */
interface CountedIn {
  month: string
  day: string
  niche_slug: string
}

interface NewCall extends CountedIn {
  kind: CallKind
  model: string
  purpose: Purpose
  reserved: Amount
  is_priced: boolean
}

/** A reservation of a call that nobody counts any more leaves room after this time. */
const leaseSeconds = 30

export async function insertCall(
  db: Queryable,
  { kind, model, purpose, niche_slug, month, day, reserved, is_priced }: NewCall
): Promise<string> {
  const [row] = await db.query<{ call_id: string }>(
    `insert into cost_calls
       (kind, model, task_id, attempt, part, post_id, niche_slug, month, day, reserved, amount, is_priced, lease_until)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11, clock_timestamp() + ${leaseSeconds} * interval '1 second')
     returning call_id`,
    [
      kind,
      model,
      purpose.task_id ?? null,
      purpose.attempt ?? null,
      purpose.part ?? null,
      purpose.post_id ?? null,
      niche_slug,
      month,
      day,
      formatAmount(reserved),
      is_priced
    ]
  )
  if (row === undefined) throw new TypeError('The database returned no call that it inserted.')
  return row.call_id
}

/** A call with what counts of it. */
export interface CountedCall extends CountedIn {
  call_id: string
  status: 'reserved' | 'settled' | 'expired'
  reserved: Amount
  amount: Amount
}

interface CallRow extends Omit<CountedCall, 'reserved' | 'amount'> {
  reserved: string
  amount: string
}

const read = ({ reserved, amount, ...row }: CallRow): CountedCall => ({
  ...row,
  reserved: parseAmount(reserved),
  amount: parseAmount(amount)
})

const counted = 'call_id, status, niche_slug, month, day, reserved, amount'

export async function lockCall(tx: Tx, call_id: string): Promise<CountedCall | undefined> {
  const [row] = await tx.query<CallRow>(`select ${counted} from cost_calls where call_id = $1 for update`, [call_id])
  return row && read(row)
}

/** Calls of processes that died, the oldest first; locked, without those that another process has locked. */
export async function lockAbandoned(tx: Tx, limit: number): Promise<CountedCall[]> {
  const rows = await tx.query<CallRow>(
    `select ${counted} from cost_calls where status = 'reserved' and lease_until < clock_timestamp()
     order by lease_until limit $1 for update skip locked`,
    [limit]
  )
  return rows.map(read)
}

/** Ends a call, or corrects one. */
export async function updateCall(
  tx: Tx,
  call_id: string,
  to: { status: CountedCall['status']; amount: Amount; basis: Basis; usage?: CallUsage | null }
): Promise<void> {
  await tx.query(
    `update cost_calls set status = $2, amount = $3, basis = $4, usage = coalesce($5::jsonb, usage),
       settled_at = coalesce(settled_at, clock_timestamp())
     where call_id = $1`,
    [call_id, to.status, formatAmount(to.amount), to.basis, to.usage ? JSON.stringify(to.usage) : null]
  )
}

/** Says that the process that makes these calls lives. */
export async function renewLeases(db: Queryable, call_ids: readonly string[]): Promise<void> {
  await db.query(
    `update cost_calls set lease_until = clock_timestamp() + ${leaseSeconds} * interval '1 second'
     where call_id = any($1::uuid[]) and status = 'reserved'`,
    [call_ids]
  )
}

/** When the next reservation of a dead process ends; null when there is none under way. */
export async function findNextLeaseEnd(db: Queryable): Promise<string | null> {
  const [row] = await db.query<{ ends: string | null }>(
    `select min(lease_until) as ends from cost_calls where status = 'reserved'`
  )
  return row?.ends ?? null
}

/** What was paid for a task is for its post, too. */
export async function linkCallsToPost(db: Queryable, task_id: string, post_id: string): Promise<void> {
  await db.query('update cost_calls set post_id = $2 where task_id = $1 and post_id is distinct from $2', [
    task_id,
    post_id
  ])
}

/** Deletes calls that ended, with their corrections. @returns how many, at most `limit` */
export async function deleteOldCalls(db: Queryable, days: number, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from cost_calls where call_id in (
       select call_id from cost_calls
       where at < now() - $1 * interval '1 day' and status <> 'reserved' order by at limit $2
     ) returning call_id`,
    [days, limit]
  )
  return rows.length
}
