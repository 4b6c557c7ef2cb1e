import type { Queryable, Tx } from '#core'

export interface VerifiedModel {
  model_id: number
  /** So many it was trained with. */
  terms: number
  is_ready: boolean
}

export const listModels = (db: Queryable): Promise<VerifiedModel[]> =>
  db.query<VerifiedModel>('select model_id, terms, is_ready from search_models order by model_id')

export const listTermVectors = (db: Queryable, model_id: number): Promise<{ vector: Buffer }[]> =>
  db.query('select vector from search_term_vectors where model_id = $1', [model_id])

/** Vectors of posts after one, by number. */
export const listPostVectors = (
  db: Queryable,
  model_id: number,
  after: number,
  limit: number
): Promise<{ post_no: number; vector: Buffer }[]> =>
  db.query(
    'select post_no, vector from search_post_vectors where model_id = $1 and post_no > $2 order by post_no limit $3',
    [model_id, after, limit]
  )

/** Published posts that the model has followed, and that have no vector by it. */
export async function countLostVectors(db: Queryable, model_id: number): Promise<number> {
  const [row] = await db.query<{ posts: number }>(
    `select count(*)::int as posts from search_posts p
     cross join (select horizon from search_models where model_id = $1) as model
     where published is not null and version < horizon and not exists (
       select from search_post_vectors v
       where v.model_id = $1 and v.post_no = p.post_no and v.text_version = p.text_version
     )`,
    [model_id]
  )
  return row?.posts ?? 0
}

/** With its vectors: another one is trained. */
export async function removeModel(db: Queryable, model_id: number): Promise<void> {
  await db.query('delete from search_models where model_id = $1', [model_id])
}

/** Has the vectors of these posts made again, and those that are missing. */
export async function repairPostVectors(tx: Tx, model_id: number, post_nos: readonly number[]): Promise<void> {
  await tx.query('delete from search_post_vectors where model_id = $1 and post_no = any($2::int[])', [
    model_id,
    post_nos
  ])
  await tx.query('update search_models set horizon = null where model_id = $1', [model_id])
}
