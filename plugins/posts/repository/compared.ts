import type { Queryable, Tx } from '#core'
import type { ComparedPost } from '../contract/similar-posts.ts'
import type { PostStatus } from '../states.ts'

/** A post as it is compared with others. */
export async function findChecked(db: Queryable, post_id: string): Promise<CheckedRow | undefined> {
  const [row] = await db.query<CheckedRow>(
    'select post_id, slug, title, content, status, task_id from posts where post_id = $1',
    [post_id]
  )
  return row
}

type CheckedRow = ComparedPost & { status: PostStatus; task_id: string | null }

/** Of two decisions on posts at once the second begins to compare when the first has committed. */
export async function lockPublication(tx: Tx): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('posts.publication', 0))")
}

/** The newest posts that were published or given a slot within the last hours, with their text. */
export function listRecentlyApproved(tx: Tx, hours: number, limit: number): Promise<ComparedPost[]> {
  return tx.query<ComparedPost>(
    `select post_id, slug, title, content from posts
     where status in ('published', 'scheduled') and approved_at > clock_timestamp() - make_interval(hours => $1)
     order by approved_at desc, post_id limit $2`,
    [hours, limit]
  )
}

/** Drafts among these that may repeat another, with their text, in no order. */
export function listDrafts(db: Queryable, post_ids: readonly string[]): Promise<ComparedPost[]> {
  return db.query<ComparedPost>(
    `select post_id, slug, title, content from posts
     where post_id = any($1::uuid[]) and task_id is not null and status not in ('scheduled', 'published')`,
    [post_ids]
  )
}

/** The newest posts, but these, that were approved since the oldest of these was made, with their text. */
export function listApprovedSinceOldest(
  db: Queryable,
  post_ids: readonly string[],
  limit: number
): Promise<ComparedPost[]> {
  return db.query<ComparedPost>(
    `select post_id, slug, title, content from posts
     where status in ('published', 'scheduled') and post_id <> all($1::uuid[])
       and approved_at >= (select min(created_at) from posts where post_id = any($1::uuid[]))
     order by approved_at desc, post_id limit $2`,
    [post_ids, limit]
  )
}

/** The posts that got their slot last, with their text. */
export function listScheduled(db: Queryable, limit: number): Promise<ComparedPost[]> {
  return db.query<ComparedPost>(
    `select post_id, slug, title, content from posts where status = 'scheduled'
     order by approved_at desc nulls last, post_id limit $1`,
    [limit]
  )
}
