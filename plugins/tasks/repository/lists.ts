import type { Param, Queryable } from '#core'
import { fetchLimit, type PageRequest } from '#lists'
import type { Period } from '#time'
import { listColumns, type TaskRow } from './tasks.ts'

/** Which tasks; what is null or absent leaves all in. The period is of their creation. */
export interface TaskFilter extends Partial<Period> {
  status?: string | null | undefined
  category?: string | null | undefined
  niche_slug?: string | null | undefined
}

/** Tasks, newest first; the row after the page tells that there is more. */
export function listTasks(db: Queryable, filter: TaskFilter, page: PageRequest): Promise<TaskRow[]> {
  const { where, params } = conditions(filter)
  const [created_at, task_id] = page.after ?? []
  if (created_at !== undefined && task_id !== undefined)
    where.push(`(created_at, task_id) < ($${params.push(created_at)}::timestamptz, $${params.push(task_id)}::uuid)`)
  return db.query<TaskRow>(
    `select ${listColumns}, null as content from tasks ${whereClause(where)}
     order by created_at desc, task_id desc limit $${params.push(fetchLimit(page))} offset $${params.push(page.offset)}`,
    params
  )
}

export async function countTasks(db: Queryable, filter: TaskFilter): Promise<number> {
  const { where, params } = conditions(filter)
  const [row] = await db.query<{ count: number }>(`select count(*) as count from tasks ${whereClause(where)}`, params)
  return row?.count ?? 0
}

function conditions({ status, category, niche_slug, since, until }: TaskFilter): { where: string[]; params: Param[] } {
  const where: string[] = []
  const params: Param[] = []
  if (status != null) where.push(`status = $${params.push(status)}`)
  if (category != null) where.push(`category = $${params.push(category)}`)
  if (niche_slug != null) where.push(`niche_slug = $${params.push(niche_slug)}`)
  if (since != null) where.push(`created_at >= $${params.push(since)}`)
  if (until != null) where.push(`created_at < $${params.push(until)}`)
  return { where, params }
}

export const whereClause = (where: readonly string[]): string =>
  where.length === 0 ? '' : `where ${where.join(' and ')}`

/** The drafts of these tasks; null for a task that has none yet. */
export function listTaskContents(
  db: Queryable,
  task_ids: readonly string[]
): Promise<{ task_id: string; content: string | null }[]> {
  return db.query('select task_id, content from tasks where task_id = any($1::uuid[])', [task_ids])
}
