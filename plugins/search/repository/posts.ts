import type { Queryable } from '#core'
import { indexSeconds } from './index-time.ts'

interface IndexedRow {
  post_id: string
  post_no: number
  /** published_at in seconds since 2000. */
  seconds: number
}

/** Where the public posts among these stand in the index. */
export function listIndexed(db: Queryable, post_ids: readonly string[]): Promise<IndexedRow[]> {
  return db.query<IndexedRow>(
    `select post_id, post_no, ${indexSeconds('published_at')} as seconds
     from public_posts where post_id = any($1::uuid[])`,
    [post_ids]
  )
}

/** The ids of posts, by their numbers. */
export async function listIds(db: Queryable, post_nos: readonly number[]): Promise<Map<number, string>> {
  const rows = await db.query<{ post_no: number; post_id: string }>(
    'select post_no, post_id from indexed_posts where post_no = any($1::int[])',
    [post_nos]
  )
  return new Map(rows.map(row => [row.post_no, row.post_id]))
}

export interface VersionRow {
  post_no: number
  post_id: string
  revision: number
  updated_at: string
}

/** The versions of the public posts with these numbers. */
export function listVersions(db: Queryable, post_nos: readonly number[]): Promise<VersionRow[]> {
  return db.query<VersionRow>(
    'select post_no, post_id, revision, updated_at from public_posts where post_no = any($1::int[])',
    [post_nos]
  )
}

export interface SubjectRow {
  post_no: number
  title: string
  excerpt: string
  /** The beginning of its text. */
  body: string
  language: string | null
}

/** The public post with this slug, as others are compared with it. */
export async function findSubject(db: Queryable, slug: string, textLength: number): Promise<SubjectRow | undefined> {
  const [row] = await db.query<SubjectRow>(
    'select post_no, title, excerpt, left(content, $2) as body, language from public_posts where slug = $1',
    [slug, textLength]
  )
  return row
}
