import type { PageRequest, Queryable } from '#core'

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

export const insertEvent = (db: Queryable, event: NewEvent): Promise<void> => insertEvents(db, [event])

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

/** All tasks' events, newest first. */
export function listEvents(db: Queryable, page: PageRequest): Promise<PipelineEvent[]> {
  return db.query<PipelineEvent>(
    `select ${columns} from pipeline_events where ($1::bigint is null or id < $1) order by id desc limit $2 offset $3`,
    [page.after === null ? null : Number(page.after[0]), page.limit + 1, page.offset]
  )
}

export async function countEvents(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>('select count(*) as count from pipeline_events')
  return row?.count ?? 0
}

/** One task's events, oldest first. */
export function listTaskEvents(db: Queryable, task_id: string, page: PageRequest): Promise<PipelineEvent[]> {
  return db.query<PipelineEvent>(
    `select ${columns} from pipeline_events where task_id = $1 and ($2::bigint is null or id > $2) order by id limit $3 offset $4`,
    [task_id, page.after === null ? null : Number(page.after[0]), page.limit + 1, page.offset]
  )
}

export async function countTaskEvents(db: Queryable, task_id: string): Promise<number> {
  const [row] = await db.query<{ count: number }>('select count(*) as count from pipeline_events where task_id = $1', [
    task_id
  ])
  return row?.count ?? 0
}
