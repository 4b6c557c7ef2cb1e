import type { Queryable } from '#core'
import type { ComparedPost } from '#plugins/posts'

export interface TitleRow {
  post_id: string
  title: string
}

/** Published posts whose present title has no embedding by this model, among these or among all. */
export function listTitlesWithout(
  db: Queryable,
  model: string,
  limit: number,
  post_ids?: readonly string[]
): Promise<TitleRow[]> {
  const which = post_ids === undefined ? '' : 'posts.post_id = any($3::uuid[]) and'
  return db.query<TitleRow>(
    `select posts.post_id, posts.title from indexed_posts posts
     left join post_titles stored on stored.post_id = posts.post_id and stored.title = posts.title and stored.model = $1
     where ${which} posts.status = 'published' and stored.post_id is null order by posts.post_id limit $2`,
    post_ids === undefined ? [model, limit] : [model, limit, post_ids]
  )
}

/** Stores embeddings, as pgvector's text. */
export async function storeTitleEmbeddings(
  db: Queryable,
  model: string,
  titles: readonly TitleRow[],
  embeddings: readonly string[]
): Promise<void> {
  await db.query(
    `insert into post_titles (post_id, title, model, embedding)
     select post_id, title, $1, embedding::vector
     from unnest($2::uuid[], $3::text[], $4::text[]) as given (post_id, title, embedding)
       join indexed_posts using (post_id, title)
     -- Two that embed the same titles lock them in the same order.
     order by post_id
     on conflict (post_id) do update
       set title = excluded.title, model = excluded.model, embedding = excluded.embedding`,
    [model, titles.map(row => row.post_id), titles.map(row => row.title), embeddings]
  )
}

export type NearRow = TitleRow & { slug: string; similarity: number }

/** The published post whose title is nearest. */
export async function findNearestTitle(db: Queryable, model: string, embedding: string): Promise<NearRow | undefined> {
  const [row] = await db.query<NearRow>(
    `select post_id, slug, title, 1 - (embedding <=> $2::vector) as similarity
     from post_titles join indexed_posts using (post_id, title)
     where status = 'published' and model = $1
     order by embedding <=> $2::vector, post_id limit 1`,
    [model, embedding]
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
