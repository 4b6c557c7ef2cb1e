import type { Queryable, Tx } from '#core'
import type { PostStatus } from '../states.ts'

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
    `select post_id, title from posts
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
       select posts.post_id, embedding
       from unnest($2::uuid[], $3::text[], $4::text[]) as given (post_id, title, embedding)
       join posts using (post_id, title)
       -- Two that embed the same titles lock them in the same order.
       order by posts.post_id for no key update of posts
     )
     update posts set title_embedding = made.embedding::vector, title_embedding_model = $1
     from made where posts.post_id = made.post_id`,
    [model, titles.map(row => row.post_id), titles.map(row => row.title), embeddings]
  )
}

export type NearRow = TitleRow & { slug: string; similarity: number }

/** The published post whose title is nearest. */
export async function findNearestTitle(db: Queryable, model: string, embedding: string): Promise<NearRow | undefined> {
  const [row] = await db.query<NearRow>(
    `select post_id, slug, title, 1 - (title_embedding <=> $2::vector) as similarity from posts
     where status = 'published' and title_embedding_model = $1
     order by title_embedding <=> $2::vector, post_id limit 1`,
    [model, embedding]
  )
  return row
}

export type TextRow = TitleRow & { slug: string; content: string }

/** A post as it is compared with others. */
export async function findChecked(db: Queryable, post_id: string): Promise<CheckedRow | undefined> {
  const [row] = await db.query<CheckedRow>(
    'select post_id, slug, title, content, status, task_id from posts where post_id = $1',
    [post_id]
  )
  return row
}

type CheckedRow = TextRow & { status: PostStatus; task_id: string | null }

/** Of two decisions on posts at once the second begins to compare when the first has committed. */
export async function lockPublication(tx: Tx): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('posts.publication', 0))")
}

/** The newest posts that were published or given a slot within the last hour, with their text. */
export function listDecidedSince(tx: Tx, limit: number): Promise<TextRow[]> {
  return tx.query<TextRow>(
    `select post_id, slug, title, content from posts
     where status in ('published', 'scheduled') and approved_at > clock_timestamp() - interval '1 hour'
     order by approved_at desc, post_id limit $1`,
    [limit]
  )
}

/** Drafts among these that may repeat another, with their text, in no order. */
export function listDrafts(db: Queryable, post_ids: readonly string[]): Promise<TextRow[]> {
  return db.query<TextRow>(
    `select post_id, slug, title, content from posts
     where post_id = any($1::uuid[]) and task_id is not null and status not in ('scheduled', 'published')`,
    [post_ids]
  )
}

/** The newest posts, but these, that were signed off since the oldest of these was made, with their text. */
export function listSignedOffSince(db: Queryable, post_ids: readonly string[], limit: number): Promise<TextRow[]> {
  return db.query<TextRow>(
    `select post_id, slug, title, content from posts
     where status in ('published', 'scheduled') and post_id <> all($1::uuid[])
       and approved_at >= (select min(created_at) from posts where post_id = any($1::uuid[]))
     order by approved_at desc, post_id limit $2`,
    [post_ids, limit]
  )
}

/** The posts that got their slot last, with their text. */
export function listScheduled(db: Queryable, limit: number): Promise<TextRow[]> {
  return db.query<TextRow>(
    `select post_id, slug, title, content from posts where status = 'scheduled'
     order by approved_at desc nulls last, post_id limit $1`,
    [limit]
  )
}

/** The public posts with these numbers or ids, with their text. */
export function listAlike(db: Queryable, post_nos: readonly number[], post_ids: readonly string[]): Promise<TextRow[]> {
  return db.query<TextRow>(
    `select post_id, slug, title, content from public_posts
     where post_no = any($1::int[]) or post_id = any($2::uuid[])`,
    [post_nos, post_ids]
  )
}
