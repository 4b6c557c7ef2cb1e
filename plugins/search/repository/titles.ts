import type { Queryable } from '#core'
import type { ComparedPost } from '#plugins/posts'

/** Before the id of any post. */
const noPost = '00000000-0000-0000-0000-000000000000'

export interface TitleRow {
  post_id: string
  title: string
}

/** Which posts are looked at. */
export interface TitleScope {
  /** Those after this id. */
  after?: string | undefined
  post_ids?: readonly string[]
  /** Those written by this transaction or a later one. */
  horizon?: string
}

/** Published posts whose present title has no embedding by this model, by id. */
export function listTitlesWithout(
  db: Queryable,
  model: string,
  { after, post_ids, horizon }: TitleScope,
  limit: number
): Promise<TitleRow[]> {
  const [scope, value] =
    post_ids !== undefined
      ? ['post_id = any($3::uuid[])', post_ids]
      : horizon !== undefined
        ? ['post_no in (select post_no from search_posts where version >= $3::text::xid8)', horizon]
        : ['post_id > $3::uuid', after ?? noPost]
  return db.query<TitleRow>(
    // A value of each row, which the index gives; `not exists` becomes a join, for which the whole table was read each time.
    `select post_id, title from indexed_posts posts
     where ${scope} and status = 'published' and (
       select stored.title = posts.title and model = $1 from post_titles stored where stored.post_id = posts.post_id
     ) is not true order by post_id limit $2`,
    [model, limit, value]
  )
}

/** A vector as pgvector's text, and a `1` for each of its numbers above zero. */
export interface StoredVector {
  embedding: string
  signs: string
}

export async function storeTitleEmbeddings(
  db: Queryable,
  model: string,
  titles: readonly TitleRow[],
  vectors: readonly StoredVector[]
): Promise<void> {
  await db.query(
    `insert into post_titles (post_id, title, model, embedding, signs)
     select post_id, title, $1, embedding::vector, signs::bit(768)
     from unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) as given (post_id, title, embedding, signs)
       join indexed_posts using (post_id, title)
     -- Two that embed the same titles lock them in the same order.
     order by post_id
     on conflict (post_id) do update
       set title = excluded.title, model = excluded.model, embedding = excluded.embedding, signs = excluded.signs`,
    [
      model,
      titles.map(row => row.post_id),
      titles.map(row => row.title),
      vectors.map(({ embedding }) => embedding),
      vectors.map(({ signs }) => signs)
    ]
  )
}

type NearRow = TitleRow & { slug: string; similarity: number }

/** Titles whose vectors are compared: those that differ least in sign. */
const maxComparedTitles = 100

/**
 * The published post whose title is nearest. All are compared by signs: their vectors would be 3 kB each to fetch, and an HNSW
 * index of the signs misses half of the near ones (`bench/README.md`).
 */
export async function findNearestTitle(
  db: Queryable,
  model: string,
  { embedding, signs }: StoredVector
): Promise<NearRow | undefined> {
  const [row] = await db.query<NearRow>(
    `with near as materialized (
       select post_id from post_titles where model = $1 order by signs <~> $3::text::bit(768), post_id limit $4
     )
     select post_id, slug, title, 1 - (embedding <=> $2::vector) as similarity
     from near join post_titles using (post_id) join indexed_posts using (post_id, title)
     where status = 'published'
     order by embedding <=> $2::vector, post_id limit 1`,
    [model, embedding, signs, maxComparedTitles]
  )
  return row
}

/** The public posts with these numbers or ids, with their text. */
export function listCompared(
  db: Queryable,
  post_nos: readonly number[],
  post_ids: readonly string[]
): Promise<ComparedPost[]> {
  return db.query<ComparedPost>(
    `select post_id, slug, title, content from public_posts
     where post_no = any($1::int[]) or post_id = any($2::uuid[])`,
    [post_nos, post_ids]
  )
}
