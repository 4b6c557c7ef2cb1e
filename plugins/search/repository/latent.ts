import type { Queryable, Tx } from '#core'
import type { PostText } from '../inverted-index/text-fields.ts'

export interface LatentModelRow {
  model_id: number
  /** Published when it was trained. */
  posts: number
  /** So many have a vector. */
  terms: number
  language: string
  is_ready: boolean
}

/** The newest model; on demand the newest that has the vectors of all posts. */
export async function findNewestModel(
  db: Queryable,
  { isReady = false }: { isReady?: boolean } = {}
): Promise<LatentModelRow | undefined> {
  const [row] = await db.query<LatentModelRow>(
    `select model_id, posts, terms, language, is_ready from search_models where is_ready or not $1::boolean
     order by model_id desc limit 1`,
    [isReady]
  )
  return row
}

/** How many published posts there are, and whether the newest model has not followed one of them. */
export async function readFollowed(db: Queryable): Promise<{ posts: number; is_behind: boolean }> {
  const [row] = await db.query<{ posts: number; is_behind: boolean }>(
    `select (select count(*)::int from search_posts where published is not null) as posts, exists (
       select from search_models where is_ready is false or horizon is null or exists (
         select from search_posts where version >= horizon
       )
     ) as is_behind`
  )
  return row ?? { posts: 0, is_behind: false }
}

/** So many published posts at most, without any order that means something: the same at every call. */
export async function listSample(db: Queryable, limit: number): Promise<number[]> {
  const rows = await db.query<{ post_no: number }>(
    'select post_no from search_posts where published is not null order by hashint4(post_no), post_no limit $1',
    [limit]
  )
  return rows.map(({ post_no }) => post_no)
}

/** The texts of those of these posts that are published, each up to so many characters. */
export function listBeginnings(db: Queryable, post_nos: readonly number[], characters: number): Promise<PostText[]> {
  return db.query<PostText>(
    `select post_no, title, excerpt, left(content, $2) as body, posts.language, text_version
     from search_posts join indexed_posts posts using (post_no)
     where post_no = any($1::int[]) and published is not null order by post_no`,
    [post_nos, characters]
  )
}

/** Published posts after one, by number, that changed since the model followed them, or that have no vector by it. */
export async function listUnfollowed(db: Queryable, model_id: number, after: number, limit: number): Promise<number[]> {
  const rows = await db.query<{ post_no: number }>(
    `select post_no from search_posts p where post_no > $2 and published is not null
       and version >= coalesce((select horizon from search_models where model_id = $1), '0'::xid8)
       and not exists (
         select from search_post_vectors v
         where v.model_id = $1 and v.post_no = p.post_no and v.text_version = p.text_version
       )
     order by post_no limit $3`,
    [model_id, after, limit]
  )
  return rows.map(({ post_no }) => post_no)
}

export async function insertModel(
  tx: Tx,
  { posts, terms, language }: Pick<LatentModelRow, 'posts' | 'terms' | 'language'>
): Promise<number> {
  const [row] = await tx.query<{ model_id: number }>(
    'insert into search_models (posts, terms, language) values ($1, $2, $3) returning model_id',
    [posts, terms, language]
  )
  return row?.model_id ?? 0
}

/** `vectors`: of each of the terms `bytes` bytes. */
export async function insertTermVectors(
  tx: Tx,
  model_id: number,
  { terms, vectors, bytes }: { terms: readonly string[]; vectors: Uint8Array; bytes: number }
): Promise<void> {
  await tx.query(
    `insert into search_term_vectors (model_id, term, vector)
     select $1, term, substring($3::bytea, ((at - 1) * $4::int + 1)::int, $4::int)
     from unnest($2::text[]) with ordinality as t (term, at)`,
    [model_id, terms, Buffer.from(vectors), bytes]
  )
}

/**
 * All terms of a model, a line each, with their vectors one after the other, in base64: as the process takes them that works with
 * them. To parse 20,000 terms as an array, and to decode their vectors, takes some 70 ms of this thread.
 */
export async function readTermVectors(db: Queryable, model_id: number): Promise<{ terms: string; vectors: string }> {
  const [row] = await db.query<{ terms: string | null; vectors: string | null }>(
    `select string_agg(term, E'\\n' order by term) as terms,
       encode(string_agg(vector, ''::bytea order by term), 'base64') as vectors
     from search_term_vectors where model_id = $1`,
    [model_id]
  )
  return { terms: row?.terms ?? '', vectors: row?.vectors ?? '' }
}

/** `vectors`: of each of the posts `bytes` bytes. */
export async function savePostVectors(
  db: Queryable,
  model_id: number,
  {
    posts,
    vectors,
    bytes
  }: { posts: readonly Pick<PostText, 'post_no' | 'text_version'>[]; vectors: Uint8Array; bytes: number }
): Promise<void> {
  await db.query(
    `insert into search_post_vectors (model_id, post_no, text_version, vector)
     select $1, post_no, text_version, substring($4::bytea, ((at - 1) * $5::int + 1)::int, $5::int)
     from unnest($2::int[], $3::int[]) with ordinality as t (post_no, text_version, at)
     on conflict (model_id, post_no) do update set text_version = excluded.text_version, vector = excluded.vector`,
    [
      model_id,
      posts.map(({ post_no }) => post_no),
      posts.map(({ text_version }) => text_version),
      Buffer.from(vectors),
      bytes
    ]
  )
}

/** Every post has its vector by the model, up to a horizon. Vectors of posts that are not published any more go, and older models. */
export async function finishModel(tx: Tx, model_id: number, horizon: string): Promise<void> {
  await tx.query(
    `delete from search_post_vectors v using search_posts p
     where v.post_no = p.post_no and p.published is null
       and p.version >= coalesce((select horizon from search_models where model_id = $1), '0'::xid8)`,
    [model_id]
  )
  await tx.query('update search_models set is_ready = true, horizon = $2::text::xid8 where model_id = $1', [
    model_id,
    horizon
  ])
  await tx.query('delete from search_models where model_id < $1', [model_id])
}

/** Has all posts looked at again: a restored backup names transactions of another server. */
export async function forgetFollowed(tx: Queryable): Promise<void> {
  await tx.query('update search_models set horizon = null')
}

export interface VectorRow {
  term: string | null
  post_no: number | null
  vector: Buffer
}

/** By the newest model that is ready: the vectors of these terms and of these posts. */
export function listVectors(
  db: Queryable,
  terms: readonly string[],
  post_nos: readonly number[]
): Promise<VectorRow[]> {
  return db.query<VectorRow>(
    `with model as materialized (select max(model_id) as model_id from search_models where is_ready)
     select term, null::int as post_no, vector from search_term_vectors
     where model_id = (select model_id from model) and term = any($1::text[])
     union all
     select null, post_no, vector from search_post_vectors
     where model_id = (select model_id from model) and post_no = any($2::int[])`,
    [terms, post_nos]
  )
}
