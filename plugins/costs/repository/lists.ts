import type { Param, Queryable } from '#core'
import { fetchLimit, type PageRequest, resolveId } from '#lists'
import type { Period } from '#time'
import type { CallKind, CallUsage } from '../calls.ts'
import type { Basis, CountedCall } from './calls.ts'

/** A call as the database has it; amounts are decimals as text. */
export interface ListedCallRow {
  call_id: string
  at: string
  status: CountedCall['status']
  kind: CallKind
  model: string
  task_id: string | null
  attempt: number | null
  part: string | null
  post_id: string | null
  niche_slug: string | null
  amount: string
  reserved: string
  basis: Basis
  is_priced: boolean
  usage: CallUsage | null
  settled_at: string | null
}

/** Which calls; what is null or absent leaves all in. */
export interface CallFilter extends Partial<Period> {
  task_id?: string | null | undefined
  post_id?: string | null | undefined
  model?: string | null | undefined
}

const columns = `call_id, at, status, kind, model, task_id, attempt, part, post_id, nullif(niche_slug, '') as niche_slug,
  amount, reserved, basis, is_priced, usage, settled_at`

/** The whole id for an id or a prefix of it, among the calls and what they were for. @throws as `resolveId` */
export const resolvePaid = (db: Queryable, column: 'call_id' | 'task_id' | 'post_id', text: string): Promise<string> =>
  resolveId(db, 'cost_calls', column, text)

/** Newest first. */
export function listCalls(db: Queryable, filter: CallFilter, page: PageRequest): Promise<ListedCallRow[]> {
  const { where, params } = conditions(filter)
  if (page.after !== null) {
    const [at = '', call_id = ''] = page.after
    where.push(`(at, call_id) < ($${params.push(at)}::timestamptz, $${params.push(call_id)}::uuid)`)
  }
  return db.query<ListedCallRow>(
    `select ${columns} from cost_calls where ${where.join(' and ')}
     order by at desc, call_id desc limit $${params.push(fetchLimit(page))} offset $${params.push(page.offset)}`,
    params
  )
}

export async function findCall(db: Queryable, call_id: string): Promise<ListedCallRow | undefined> {
  const [row] = await db.query<ListedCallRow>(`select ${columns} from cost_calls where call_id = $1`, [call_id])
  return row
}

/** How many calls, and what they cost together. */
export async function sumCalls(db: Queryable, filter: CallFilter): Promise<{ calls: number; amount: string }> {
  const { where, params } = conditions(filter)
  const [row] = await db.query<{ calls: number; amount: string }>(
    `select count(*) as calls, coalesce(sum(amount), 0)::numeric(30, 12) as amount from cost_calls where ${where.join(' and ')}`,
    params
  )
  return row ?? { calls: 0, amount: '0' }
}

function conditions({ task_id, post_id, model, since, until }: CallFilter): { where: string[]; params: Param[] } {
  const where: string[] = ['true']
  const params: Param[] = []
  if (task_id != null) where.push(`task_id = $${params.push(task_id)}`)
  if (post_id != null) where.push(`post_id = $${params.push(post_id)}`)
  if (model != null) where.push(`model = $${params.push(model)}`)
  if (since != null) where.push(`at >= $${params.push(since)}`)
  if (until != null) where.push(`at < $${params.push(until)}`)
  return { where, params }
}

/** What each part of each attempt at a task cost, in their order. */
export function listCostParts(
  db: Queryable,
  task_id: string
): Promise<{ attempt: number; part: string; calls: number; amount: string }[]> {
  return db.query(
    `select coalesce(attempt, 0) as attempt, coalesce(part, kind) as part, count(*) as calls, sum(amount) as amount
     from cost_calls where task_id = $1 group by 1, 2 order by 1, min(at)`,
    [task_id]
  )
}

/** The mean cost of the last attempts, of one task or of all, without those under way; null where there are none. */
export async function meanAttempt(
  db: Queryable,
  task_id: string | null,
  limit: number
): Promise<{ attempts: number; mean: string | null }> {
  const [row] = await db.query<{ attempts: number; mean: string | null }>(
    `select count(*) as attempts, avg(amount)::numeric(30, 12) as mean from (
       select sum(amount) as amount from cost_calls
       where task_id is not null and attempt is not null and ($1::uuid is null or task_id = $1)
       group by task_id, attempt having bool_and(status <> 'reserved') order by max(at) desc limit $2
     ) as attempt`,
    [task_id, limit]
  )
  return row ?? { attempts: 0, mean: null }
}

/** Calls of a month whose amount is doubtful: of models without a price, and those whose worst case counts. */
export function listDoubtful(
  db: Queryable,
  month: string
): Promise<{ model: string; unpriced: number; uncertain: number; uncertain_amount: string }[]> {
  return db.query(
    `select model, count(*) filter (where not is_priced) as unpriced,
       count(*) filter (where basis = 'worst_case' and amount > 0) as uncertain,
       coalesce(sum(amount) filter (where basis = 'worst_case'), 0)::numeric(30, 12) as uncertain_amount
     from cost_calls
     where month = $1 and status <> 'reserved' and (not is_priced or basis = 'worst_case')
     group by model order by model limit 100`,
    [month]
  )
}

export async function insertCorrection(
  db: Queryable,
  correction: { call_id: string; actor: string; from: string; to: string; reason: string }
): Promise<void> {
  const { call_id, actor, from, to, reason } = correction
  await db.query(
    'insert into cost_corrections (call_id, actor, from_amount, to_amount, reason) values ($1, $2, $3, $4, $5)',
    [call_id, actor, from, to, reason]
  )
}
