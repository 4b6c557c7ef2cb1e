import type { Queryable } from '#core'

/** The drafts of these tasks; null for a task that has none yet. */
export function listContents(
  db: Queryable,
  task_ids: readonly string[]
): Promise<{ task_id: string; content: string | null }[]> {
  return db.query('select task_id, content from tasks where task_id = any($1::uuid[])', [task_ids])
}
