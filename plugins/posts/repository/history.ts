import type { Param, Tx } from '#core'
import type { PostAction, PostStatus } from '../states.ts'

/** One row of a post's history. */
export interface HistoryEntry {
  post_id: string
  action: PostAction | 'edit'
  from_status: PostStatus | null
  to_status: PostStatus
  actor: string
  detail?: Record<string, unknown>
}

export async function insertHistory(tx: Tx, entries: readonly HistoryEntry[]): Promise<void> {
  const column = (value: (entry: HistoryEntry) => string) => entries.map(value)
  const params: Param[] = [
    column(entry => entry.post_id),
    column(entry => entry.action),
    // Arrays of text cannot hold null here: the empty text stands for it.
    column(entry => entry.from_status ?? ''),
    column(entry => entry.to_status),
    column(entry => entry.actor),
    column(entry => JSON.stringify(entry.detail ?? {}))
  ]
  await tx.query(
    `insert into post_history (post_id, action, from_status, to_status, actor, detail)
     select post_id, action, nullif(from_status, ''), to_status, actor, detail::jsonb
     from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
       as entry (post_id, action, from_status, to_status, actor, detail)`,
    params
  )
}
