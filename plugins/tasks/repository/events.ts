import type { Param, Queryable } from '#core'
import { fetchLimit, type PageRequest } from '#lists'
import type { Period } from '#time'
import type { Transition } from '../states.ts'
import { whereClause } from './lists.ts'

/** A row of a task's history. `detail` tells what else changed. */
export interface PipelineEvent {
  id: number
  at: string
  task_id: string
  type: string
  from: string | null
  to: string | null
  actor: string
  detail: Record<string, unknown>
}

const columns = 'id, at, task_id, type, from_status as "from", to_status as "to", actor, detail'

type NewEvent = Omit<PipelineEvent, 'id' | 'at'>

/** In their order: a later one has the higher id. */
export async function insertEvents(db: Queryable, events: readonly NewEvent[]): Promise<void> {
  await db.query(
    `insert into pipeline_events (task_id, type, from_status, to_status, actor, detail)
     select task_id, type, "from", "to", actor, detail
     from rows from (jsonb_to_recordset($1::jsonb)
       as (task_id uuid, type text, "from" text, "to" text, actor text, detail jsonb)) with ordinality
     order by ordinality`,
    [JSON.stringify(events)]
  )
}

const rejectingMoves = [
  'rejected',
  'rejected_for_retry',
  'rejected_finally',
  'slot_rejected',
  'unpublished',
  'archived',
  'cancelled'
] satisfies Transition[]

/** Whether a person ever turned a draft of the task down, or took it offline. */
export async function wasRejectedByPerson(db: Queryable, task_id: string): Promise<boolean> {
  const rows = await db.query('select 1 from pipeline_events where task_id = $1 and type = any($2) limit 1', [
    task_id,
    rejectingMoves
  ])
  return rows.length > 0
}

/** Which events; what is null or absent leaves all in. */
export interface EventFilter extends Partial<Period> {
  type?: string | null | undefined
  actor?: string | null | undefined
}

/** All tasks' events, newest first. */
export function listEvents(db: Queryable, filter: EventFilter, page: PageRequest): Promise<PipelineEvent[]> {
  const { where, params } = conditions(filter)
  if (page.after !== null) where.push(`id < $${params.push(Number(page.after[0]))}`)
  return db.query<PipelineEvent>(
    `select ${columns} from pipeline_events ${whereClause(where)}
     order by id desc limit $${params.push(fetchLimit(page))} offset $${params.push(page.offset)}`,
    params
  )
}

/** Those with an id above `id`, oldest first. */
export function listEventsAfter(
  db: Queryable,
  filter: EventFilter,
  id: number,
  limit: number
): Promise<PipelineEvent[]> {
  const { where, params } = conditions(filter)
  where.push(`id > $${params.push(id)}`)
  return db.query<PipelineEvent>(
    `select ${columns} from pipeline_events ${whereClause(where)} order by id limit $${params.push(limit)}`,
    params
  )
}

export async function countEvents(db: Queryable, filter: EventFilter): Promise<number> {
  const { where, params } = conditions(filter)
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from pipeline_events ${whereClause(where)}`,
    params
  )
  return row?.count ?? 0
}

function conditions({ type, actor, since, until }: EventFilter): { where: string[]; params: Param[] } {
  const where: string[] = []
  const params: Param[] = []
  if (type != null) where.push(`type = $${params.push(type)}`)
  if (actor != null) where.push(`actor = $${params.push(actor)}`)
  if (since != null) where.push(`at >= $${params.push(since)}`)
  if (until != null) where.push(`at < $${params.push(until)}`)
  return { where, params }
}

/** One task's events, oldest first. */
export function listTaskEvents(db: Queryable, task_id: string, page: PageRequest): Promise<PipelineEvent[]> {
  return db.query<PipelineEvent>(
    `select ${columns} from pipeline_events where task_id = $1 and ($2::bigint is null or id > $2) order by id limit $3 offset $4`,
    [task_id, page.after === null ? null : Number(page.after[0]), fetchLimit(page), page.offset]
  )
}

export async function countTaskEvents(db: Queryable, task_id: string): Promise<number> {
  const [row] = await db.query<{ count: number }>('select count(*) as count from pipeline_events where task_id = $1', [
    task_id
  ])
  return row?.count ?? 0
}
