import type { Queryable } from '#core'
import { resolveId } from '#lists'
import type { PostRef } from '../contract/post-ref.ts'

/** The id of a post, by it or a prefix of it: what a path of the REST API names a post by. @throws as `resolveId` */
export const resolvePostId = (db: Queryable, text: string): Promise<string> => resolveId(db, 'posts', 'post_id', text)

/**
 * The post that an operator means: by its id, by the id of the task that wrote it, or by a prefix of either. Commands show
 * both kinds, and people paste what they see; a REST path has the one its name says.
 * @throws as `resolveId`
 */
export const resolvePost = (db: Queryable, text: string): Promise<string> =>
  resolveId(db, 'posts', 'post_id', text, { of: 'task_id' })

/** Ids of posts from `first` to `last`, in order. */
export async function listPostIds(db: Queryable, first: string, last: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ post_id: string }>(
    'select post_id from posts where post_id between $1 and $2 order by post_id limit $3',
    [first, last, limit]
  )
  return rows.map(({ post_id }) => post_id)
}

/** A post and its task, by the id of either. */
export async function listRelatedIds(db: Queryable, id: string): Promise<string[]> {
  const rows = await db.query<{ post_id: string; task_id: string | null }>(
    'select post_id, task_id from posts where post_id = $1 or task_id = $1',
    [id]
  )
  return rows.flatMap(({ post_id, task_id }) => [post_id, task_id ?? post_id])
}

/** The posts with these ids, in any status. */
export function findRefs(db: Queryable, post_ids: readonly string[]): Promise<PostRef[]> {
  return db.query<PostRef>(
    'select post_id, slug, title, status, published_at, content_hash from posts where post_id = any($1::uuid[])',
    [post_ids]
  )
}

/** The present slug of the public post that used to have this one. */
export async function findCurrentSlug(db: Queryable, slug: string): Promise<string | undefined> {
  const [row] = await db.query<{ slug: string }>(
    'select p.slug from post_slugs s join public_posts p using (post_id) where s.slug = $1',
    [slug]
  )
  return row?.slug
}

/** The public posts that have these slugs, or used to have them. */
export function listPublicIds(db: Queryable, slugs: readonly string[]): Promise<{ slug: string; post_id: string }[]> {
  return db.query<{ slug: string; post_id: string }>(
    `select slug, post_id from public_posts where slug = any($1)
     union all
     select s.slug, p.post_id from post_slugs s join public_posts p using (post_id) where s.slug = any($1)`,
    [slugs]
  )
}
