import type { Queryable } from '#core'

/** The slot that a post had before an edit took its approval. */
export interface LostSlot {
  post_id: string
  /** ISO 8601. */
  slot: string
  /** By the clock, not by the transaction's beginning: it may have waited for a lock. */
  is_ahead: boolean
}

/** The slots that edits took from those posts that wait for approval again. Every later decision on a post forgets its slot. */
export function listLostSlots(db: Queryable, post_ids: readonly string[]): Promise<LostSlot[]> {
  return db.query<LostSlot>(
    `select post_id, slot, slot > clock_timestamp() as is_ahead
     from posts join lateral (
       select action, (detail ->> 'published_at')::timestamptz(3) as slot from post_history
       where post_history.post_id = posts.post_id and action not in ('edit', 'skip') order by id desc limit 1
     ) as last on last.action = 'reopen'
     where post_id = any($1::uuid[]) and status = 'awaiting_approval' and slot is not null`,
    [post_ids]
  )
}

export async function findLostSlot(db: Queryable, post_id: string): Promise<LostSlot | undefined> {
  const [row] = await listLostSlots(db, [post_id])
  return row
}

/** By the database's clock. */
export async function isSlotAhead(db: Queryable, slot: string): Promise<boolean> {
  const [row] = await db.query<{ is_ahead: boolean }>('select $1::timestamptz > clock_timestamp() as is_ahead', [slot])
  return row?.is_ahead === true
}
