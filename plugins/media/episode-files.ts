import { isUuid, type Queryable } from '#core'
import { listAllFiles } from './repository/files.ts'
import type { MediaStore } from './storage/media-store.ts'

/** What is known of a file without asking the store. */
export interface EpisodeFile {
  bytes: number
  durationMs: number | null
}

/** The files of all posts by the last part of their address, such as `3f2a9c1b-….mp3`. */
export interface EpisodeFiles {
  names: ReadonlySet<string>
  /** Those that were made here; the others an operator put into the store. */
  made: ReadonlyMap<string, EpisodeFile>
}

export async function listEpisodeFiles(db: Queryable, store: Pick<MediaStore, 'list'>): Promise<EpisodeFiles> {
  const rows = await listAllFiles(db)
  const made = new Map(
    rows.map(({ post_id, extension, bytes, duration_ms }) => [
      `${post_id}.${extension}`,
      { bytes, durationMs: duration_ms }
    ])
  )
  const names = new Set(made.keys())
  for await (const key of store.list('episodes')) {
    const name = key.slice('episodes/'.length)
    // What is made here is named by its hash.
    if (isUuid(name.slice(0, name.indexOf('.')))) names.add(name)
  }
  return { names, made }
}
