import type { Queryable } from '#core'
import { horizonSql } from './horizon.ts'

export interface VersionedPostRow {
  post_no: number
  /** In seconds since 2000; null for a post that is not published. */
  published: number | null
  text_version: number
}

/** A page of what was read at once. */
interface VersionedPosts {
  posts: VersionedPostRow[]
  /** What transactions from this one on wrote may not be among them: a number of 64 bits as text. */
  horizon: string
}

const ofPage = `coalesce(json_agg(json_build_object('post_no', post_no, 'published', published, 'text_version', text_version)), '[]') as posts,
  ${horizonSql} as horizon`

/** The posts published under the highest numbers before this one: mostly the newest. */
export async function listPublishedBefore(db: Queryable, post_no: number, limit: number): Promise<VersionedPosts> {
  const [page] = await db.query<VersionedPosts>(
    `select ${ofPage} from (
       select * from search_posts where post_no < $1 and published is not null order by post_no desc limit $2
     ) as page`,
    [post_no, limit]
  )
  return page ?? { posts: [], horizon: '0' }
}

/** The posts from a number on that were written since a horizon. */
export async function listChangedSince(db: Queryable, horizon: string, from: number): Promise<VersionedPosts> {
  const [page] = await db.query<VersionedPosts>(
    `select ${ofPage} from search_posts where version >= $1::text::xid8 and post_no >= $2`,
    [horizon, from]
  )
  return page ?? { posts: [], horizon }
}

interface SuggestedRow {
  post_no: number
  title: string
  slug: string
}

/** Titles of published posts, also of those whose time is to come. */
export function listPublishedTitles(db: Queryable, post_nos: readonly number[]): Promise<Omit<SuggestedRow, 'slug'>[]> {
  return db.query("select post_no, title from indexed_posts where post_no = any($1::int[]) and status = 'published'", [
    post_nos
  ])
}

/** Those of these posts that are public now. */
export function listSuggested(db: Queryable, post_nos: readonly number[]): Promise<SuggestedRow[]> {
  return db.query<SuggestedRow>('select post_no, title, slug from public_posts where post_no = any($1::int[])', [
    post_nos
  ])
}
