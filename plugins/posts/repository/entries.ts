import type { Queryable } from '#core'
import type { PostRow } from './rows.ts'

export type PostTextRow = Pick<PostRow, 'post_id' | 'slug' | 'title' | 'content' | 'tags' | 'revision'>

/** The public posts among these, as far as memory keeps them. */
export function listPostTexts(db: Queryable, post_ids: readonly string[]): Promise<PostTextRow[]> {
  return db.query<PostTextRow>(
    'select post_id, slug, title, content, tags, revision from public_posts where post_id = any($1::uuid[])',
    [post_ids]
  )
}

/** The revisions of the public posts among these, by id. */
export async function readRevisions(db: Queryable, post_ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.query<{ post_id: string; revision: number }>(
    'select post_id, revision from public_posts where post_id = any($1::uuid[])',
    [post_ids]
  )
  return new Map(rows.map(({ post_id, revision }) => [post_id, revision]))
}

/** Public posts by id, from `after` on, as far as memory keeps them. */
export function listPublicEntries(db: Queryable, after: string | null, limit: number): Promise<PostTextRow[]> {
  return db.query<PostTextRow>(
    `select post_id, slug, title, content, tags, revision from public_posts
     where $1::uuid is null or post_id > $1 order by post_id limit $2`,
    [after, limit]
  )
}
