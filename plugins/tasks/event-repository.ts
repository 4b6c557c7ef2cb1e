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

export async function insertEvent(db: Queryable, event: Omit<PipelineEvent, 'id' | 'at'>): Promise<void> {
  await db.query(
    `insert into pipeline_events (task_id, type, from_status, to_status, actor, detail) values ($1, $2, $3, $4, $5, $6)`,
    [event.task_id, event.type, event.from, event.to, event.actor, JSON.stringify(event.detail)]
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
