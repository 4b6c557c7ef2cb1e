import type { Queryable, Tx } from '#core'

/** A cover that was made for a post. */
export interface CoverRow {
  post_id: string
  filename: string
  /** Of all it was made from. */
  source_hash: string
  width: number
  height: number
  bytes: number
  /** False once the file was removed, because the post is not public. */
  is_stored: boolean
  /** The post had it as its picture when it was withdrawn: it returns with the post. */
  is_taken_back: boolean
}

const columns = 'post_id, filename, source_hash, width, height, bytes, is_stored, is_taken_back'

export async function findCover(db: Queryable, post_id: string): Promise<CoverRow | undefined> {
  const [row] = await db.query<CoverRow>(`select ${columns} from media_covers where post_id = $1`, [post_id])
  return row
}

/** The covers that were made for these posts. */
export function listCovers(db: Queryable, post_ids: readonly string[]): Promise<CoverRow[]> {
  return db.query<CoverRow>(`select ${columns} from media_covers where post_id = any($1::uuid[]) order by post_id`, [
    post_ids
  ])
}

/** Those of the posts that a cover was made for. */
export async function listCovered(db: Queryable, post_ids: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ post_id: string }>('select post_id from media_covers where post_id = any($1::uuid[])', [
    post_ids
  ])
  return rows.map(({ post_id }) => post_id)
}

/** Until the transaction ends, nobody else stores or removes a cover: two posts may share a file. */
export async function lockCovers(tx: Tx): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('galley covers', 0))`)
}

export async function saveCover(tx: Tx, cover: Omit<CoverRow, 'is_stored' | 'is_taken_back'>): Promise<void> {
  const { post_id, filename, source_hash, width, height, bytes } = cover
  await tx.query(
    `insert into media_covers (post_id, filename, source_hash, width, height, bytes) values ($1, $2, $3, $4, $5, $6)
     on conflict (post_id) do update set filename = excluded.filename, source_hash = excluded.source_hash,
       width = excluded.width, height = excluded.height, bytes = excluded.bytes, is_stored = true,
       is_taken_back = false, made_at = now()`,
    [post_id, filename, source_hash, width, height, bytes]
  )
}

export async function markTakenBack(tx: Tx, post_id: string, is_taken_back: boolean): Promise<void> {
  await tx.query('update media_covers set is_taken_back = $2 where post_id = $1', [post_id, is_taken_back])
}

export async function markRemoved(tx: Tx, post_id: string): Promise<void> {
  await tx.query('update media_covers set is_stored = false where post_id = $1', [post_id])
}

/** Whether the cover of any post, or the picture of the podcast, is this file. */
export async function isCoverInUse(tx: Tx, filename: string): Promise<boolean> {
  const rows = await tx.query(
    `select from media_covers where filename = $1 and is_stored
     union all select from media_podcast_art where filename = $1 limit 1`,
    [filename]
  )
  return rows.length > 0
}
