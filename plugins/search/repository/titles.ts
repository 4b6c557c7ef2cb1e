import type { Queryable } from '#core'
import type { ComparedPost } from '#plugins/posts'

export interface TitleRow {
  post_id: string
  title: string
}

/** Published posts whose title has no embedding by this model, among these or among all. */
export function listTitlesWithout(
  db: Queryable,
  model: string,
  limit: number,
  post_ids?: readonly string[]
): Promise<TitleRow[]> {
  const which = post_ids === undefined ? '' : 'post_id = any($3::uuid[]) and'
  return db.query<TitleRow>(
    `select post_id, title from indexed_posts
     where ${which} status = 'published' and title_embedding_model is distinct from $1 order by post_id limit $2`,
    post_ids === undefined ? [model, limit] : [model, limit, post_ids]
  )
}

/** Stores embeddings, as pgvector's text, of titles that still read the same. */
export async function storeTitleEmbeddings(
  db: Queryable,
  model: string,
  titles: readonly TitleRow[],
  embeddings: readonly string[]
): Promise<void> {
  await db.query(
    `with made as (
       select indexed_posts.post_id, embedding
       from unnest($2::uuid[], $3::text[], $4::text[]) as given (post_id, title, embedding)
       join indexed_posts using (post_id, title)
       -- Two that embed the same titles lock them in the same order.
       order by indexed_posts.post_id for no key update of indexed_posts
     )
     update indexed_posts set title_embedding = made.embedding::vector, title_embedding_model = $1
     from made where indexed_posts.post_id = made.post_id`,
    [model, titles.map(row => row.post_id), titles.map(row => row.title), embeddings]
  )
}

export type NearRow = TitleRow & { slug: string; similarity: number }

/** The published post whose title is nearest. */
export async function findNearestTitle(db: Queryable, model: string, embedding: string): Promise<NearRow | undefined> {
  const [row] = await db.query<NearRow>(
    `select post_id, slug, title, 1 - (title_embedding <=> $2::vector) as similarity from indexed_posts
     where status = 'published' and title_embedding_model = $1
     order by title_embedding <=> $2::vector, post_id limit 1`,
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
