import type { Queryable, Tx } from '#core'

/** A file that an operator put into the store, as it was last seen there. */
export interface PlacedFileRow {
  post_id: string
  extension: string
  bytes: number
}

export function listPlaced(db: Queryable): Promise<PlacedFileRow[]> {
  return db.query<PlacedFileRow>('select post_id, extension, bytes from media_placed_files')
}

/** Writes what there is of these posts now. */
export async function replacePlaced(
  tx: Tx,
  post_ids: readonly string[],
  files: readonly PlacedFileRow[]
): Promise<void> {
  await tx.query('delete from media_placed_files where post_id = any($1::uuid[])', [post_ids])
  await tx.query(
    `insert into media_placed_files (post_id, extension, bytes)
     select * from unnest($1::uuid[], $2::text[], $3::bigint[])`,
    [files.map(file => file.post_id), files.map(file => file.extension), files.map(file => file.bytes)]
  )
}
