import type { Queryable, Tx } from '#core'

/** The picture that was drawn for the podcast. */
export interface PodcastArtRow {
  /** In the folder `images` of the store. */
  filename: string
  /** Of all it was made from. */
  source_hash: string
}

export async function findPodcastArt(db: Queryable): Promise<PodcastArtRow | undefined> {
  const [row] = await db.query<PodcastArtRow>('select filename, source_hash from media_podcast_art')
  return row
}

export async function savePodcastArt(tx: Tx, { filename, source_hash }: PodcastArtRow): Promise<void> {
  await tx.query(
    `insert into media_podcast_art (filename, source_hash) values ($1, $2)
     on conflict (is_only) do update set filename = excluded.filename, source_hash = excluded.source_hash`,
    [filename, source_hash]
  )
}
