import type { Queryable, StatementOptions } from '#core'
import type { PostText } from '../inverted-index/text-fields.ts'

/** Characters of a text that are searched. */
export const maxSearchedLength = 200_000
/** To count the characters of a text takes longer than to read it, and few have as many. */
export const searchedBody = `case when octet_length(content) <= ${maxSearchedLength} then content
  else left(content, ${maxSearchedLength}) end`

const columns = `post_no, title, excerpt, ${searchedBody} as body, posts.language, text_version`

// Materialized: where the database expects few rows, it would compute the sums anew for each of them.

/** Of these posts, those that are published and stand in no segment: the newest, up to so many characters. */
export async function listWaitingTexts(
  db: Queryable,
  post_nos: readonly number[],
  characters: number
): Promise<PostText[]> {
  return await db.query<PostText>(
    `with sized as materialized (
       select post_no, text_version, sum(octet_length(content)) over (order by post_no desc) - octet_length(content) as before
       from search_posts join indexed_posts using (post_no)
       where post_no = any($1::int[]) and generation is null and published is not null
     )
     select ${columns} from sized join indexed_posts posts using (post_no) where before < $2 order by post_no`,
    [post_nos, characters]
  )
}

/** The texts of the public posts with these ids. */
export function listTextsOf(db: Queryable, post_ids: readonly string[]): Promise<PostText[]> {
  return db.query<PostText>(
    `select post_no, title, excerpt, ${searchedBody} as body, language, 0 as text_version from public_posts
     where post_id = any($1::uuid[]) order by post_no`,
    [post_ids]
  )
}

interface TextBatch {
  posts: number
  /** Characters, about: one text at least. */
  characters: number
}

/** The next texts that stand in no segment, by number, after one. */
export function listNextWaiting(db: Queryable, after: number, batch: TextBatch): Promise<PostText[]> {
  return listBatch(db, 'generation is null and published is not null and post_no > $3', [after], batch)
}

/** The next texts of published posts that were indexed by one of these generations, by number, after one. */
export function listIndexedBetween(
  db: Queryable,
  { first, last }: { first: number; last: number },
  after: number,
  batch: TextBatch
): Promise<PostText[]> {
  const condition = 'generation between $3 and $4 and published is not null and post_no > $5'
  return listBatch(db, condition, [first, last, after], batch)
}

function listBatch(
  db: Queryable,
  condition: string,
  params: readonly number[],
  { posts, characters }: TextBatch
): Promise<PostText[]> {
  return db.query<PostText>(
    `with batch as materialized (
       select post_no, text_version from search_posts where ${condition} order by post_no limit $1
     ), sized as materialized (
       select post_no, text_version, sum(octet_length(content)) over (order by post_no) - octet_length(content) as before
       from batch join indexed_posts using (post_no)
     )
     select ${columns} from sized join indexed_posts posts using (post_no) where before < $2 order by post_no`,
    [posts, characters, ...params]
  )
}

/** How many published posts stand in no segment. */
export async function countWaiting(db: Queryable): Promise<number> {
  const [row] = await db.query<{ waiting: number }>(
    'select count(*)::int as waiting from search_posts where generation is null and published is not null'
  )
  return row?.waiting ?? 0
}

/** The texts of public posts in which phrases are looked for, in any order. */
export function listPhraseTexts(
  db: Queryable,
  post_nos: readonly number[],
  options: StatementOptions
): Promise<Pick<PostText, 'post_no' | 'title' | 'excerpt' | 'body'>[]> {
  return db.query(
    `select post_no, title, excerpt, ${searchedBody} as body from public_posts
     where post_no = any($1::int[])`,
    [post_nos],
    options
  )
}

/** How many published posts were indexed by one of the first generations; 0: by any. */
export async function countIndexedThrough(db: Queryable, generation: number): Promise<number> {
  const [row] = await db.query<{ posts: number }>(
    `select count(*)::int as posts from search_posts where published is not null and ($1 = 0 or generation <= $1)`,
    [generation]
  )
  return row?.posts ?? 0
}
