import type { Queryable } from '#core'

export interface PostingsRow {
  term: string
  /** 10 bytes each: see the table's own words. */
  postings: Buffer
}

/** The lists of terms, posts of any status; a term that no post has is left out. */
export function listPostings(db: Queryable, terms: readonly string[]): Promise<PostingsRow[]> {
  return db.query<PostingsRow>(
    `select term, string_agg(posting, ''::bytea) as postings from post_terms where term = any($1::text[]) group by term`,
    [terms]
  )
}

export interface PublishedRow {
  /** 8 bytes a published post: its number, and published_at in seconds since 2000; null without any. */
  published: Buffer | null
  /** Of a post, on average. */
  words: number
  /** The database's clock, in seconds since 2000. */
  seconds: number
}

/** Which of the posts indexed are published, and when. */
export async function readPublished(db: Queryable): Promise<PublishedRow> {
  const [row] = await db.query<PublishedRow>(
    `select string_agg(int4send(post_no) || int4send(ceil(extract(epoch from published_at) - 946684800)::int), ''::bytea) as published,
       coalesce(avg(search_words), 1)::float8 as words, ceil(extract(epoch from now()) - 946684800)::int as seconds
     from indexed_posts where status = 'published'`
  )
  if (row === undefined) throw new TypeError('An aggregate answered no row.')
  return row
}

export interface IndexedRow {
  post_id: string
  post_no: number
  /** published_at in seconds since 2000. */
  seconds: number
}

/** Where the public posts among these stand in the index. */
export function listIndexed(db: Queryable, post_ids: readonly string[]): Promise<IndexedRow[]> {
  return db.query<IndexedRow>(
    `select post_id, post_no, ceil(extract(epoch from published_at) - 946684800)::int as seconds
     from public_posts where post_id = any($1::uuid[])`,
    [post_ids]
  )
}

/** The ids of posts, by their numbers. */
export async function listIds(db: Queryable, post_nos: readonly number[]): Promise<string[]> {
  const rows = await db.query<{ post_id: string }>('select post_id from indexed_posts where post_no = any($1::int[])', [
    post_nos
  ])
  return rows.map(row => row.post_id)
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
  beginning: string
  /** Those it says most, in the title and headings above all. */
  terms: string[]
}

/** The public post with this slug, as others are compared with it. */
export async function findSubject(db: Queryable, slug: string, terms: number, textLength: number) {
  const [row] = await db.query<SubjectRow>(
    `select post_no, title, left(content, $3) as beginning, array(
       select lexeme from unnest(search) where length(lexeme) between 2 and 100
       order by cardinality(positions) + 3 * cardinality(array_positions(weights, 'A'))
         + cardinality(array_positions(weights, 'B')) desc, lexeme limit $2
     ) as terms
     from public_posts where slug = $1`,
    [slug, terms, textLength]
  )
  return row
}
