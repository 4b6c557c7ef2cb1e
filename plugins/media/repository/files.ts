import type { Queryable, Tx } from '#core'

/** A file that readers get of a post. */
export interface MediaFileRow {
  post_id: string
  /** The ending of its address: mp3, vtt, srt, json, chapters.json, mp4, short.mp4. */
  extension: string
  kind: string
  /** Of what it was made from. */
  hash: string
  key: string
  bytes: number
  duration_ms: number | null
  /** SHA-256 of the sound in it, without tag and pictures; null for texts. */
  audio_hash: string | null
  made_at: string
}

const columns = 'post_id, extension, kind, hash, key, bytes, duration_ms, audio_hash, made_at'

export async function findFile(
  db: Queryable,
  post_id: string,
  extension: string
): Promise<Pick<MediaFileRow, 'key'> | undefined> {
  const [row] = await db.query<Pick<MediaFileRow, 'key'>>(
    'select key from media_files where post_id = $1 and extension = $2',
    [post_id, extension]
  )
  return row
}

export function listFiles(db: Queryable, post_id: string): Promise<MediaFileRow[]> {
  return db.query<MediaFileRow>(`select ${columns} from media_files where post_id = $1 order by extension`, [post_id])
}

/** What readers get of these posts: what was made, else what an operator put there. `duration_ms` is null where it is not known. */
export function listFilesOfPosts(
  db: Queryable,
  post_ids: readonly string[]
): Promise<Pick<MediaFileRow, 'post_id' | 'extension' | 'bytes' | 'duration_ms'>[]> {
  return db.query(
    `select post_id, extension, bytes, duration_ms from media_files where post_id = any($1::uuid[])
     union all
     select post_id, extension, bytes, null from media_placed_files
     where post_id = any($1::uuid[])
       and (post_id, extension) not in (select post_id, extension from media_files where post_id = any($1::uuid[]))`,
    [post_ids]
  )
}

/** The kinds that the files of these posts are. */
export function listKinds(db: Queryable, post_ids: readonly string[]): Promise<{ post_id: string; kind: string }[]> {
  return db.query(
    `select post_id, kind from media_files where post_id = any($1::uuid[])
     union
     select post_id, case extension when 'mp3' then 'podcast' else 'video' end from media_placed_files
     where post_id = any($1::uuid[]) and extension in ('mp3', 'mp4')`,
    [post_ids]
  )
}

/** Until the transaction ends, nobody else gives a file to a post, or removes one: posts may share a file. */
export async function lockFiles(tx: Tx): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('galley media files', 0))`)
}

export async function saveFile(
  tx: Tx,
  { post_id, extension, kind, hash, key, bytes, duration_ms, audio_hash }: Omit<MediaFileRow, 'made_at'>
): Promise<void> {
  await tx.query(
    `insert into media_files (post_id, extension, kind, hash, key, bytes, duration_ms, audio_hash)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (post_id, extension) do update set kind = excluded.kind, hash = excluded.hash, key = excluded.key,
       bytes = excluded.bytes, duration_ms = excluded.duration_ms, audio_hash = excluded.audio_hash, made_at = now()`,
    [post_id, extension, kind, hash, key, bytes, duration_ms, audio_hash]
  )
}

/** Forgets one file. */
export async function deleteFile(db: Queryable, post_id: string, extension: string): Promise<void> {
  await db.query('delete from media_files where post_id = $1 and extension = $2', [post_id, extension])
}

/** Forgets the files of a post. @returns their names in the store */
export async function deleteFiles(tx: Tx, post_id: string): Promise<string[]> {
  const rows = await tx.query<{ key: string }>('delete from media_files where post_id = $1 returning key', [post_id])
  return rows.map(({ key }) => key)
}

/** Those of the names that some post has. */
export async function listUsedKeys(db: Queryable, keys: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ key: string }>('select distinct key from media_files where key = any($1::text[])', [
    keys
  ])
  return new Set(rows.map(({ key }) => key))
}

/** The names of the files that were made first and last, at most so many of each: audio, films and transcripts, and covers. */
export async function listOuterKeys(db: Queryable, perEnd: number): Promise<string[]> {
  const rows = await db.query<{ key: string }>(
    `with made as (
       select key, made_at from media_files
       union all select 'images/' || filename, made_at from media_covers where is_stored
     )
     (select key from made order by made_at limit $1) union (select key from made order by made_at desc limit $1)
     order by key`,
    [perEnd]
  )
  return rows.map(({ key }) => key)
}
