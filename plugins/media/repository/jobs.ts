import type { Queryable, Tx } from '#core'
import { fetchLimit, type PageRequest, resolveId } from '#lists'
import { type MediaJobMove, type MediaJobState, transitions } from '../states.ts'

export interface MediaJobRow {
  job_id: string
  post_id: string
  media: string[]
  hash: string
  state: MediaJobState
  progress: number
  /** How often it was asked for: who was making it before somebody withdrew it must not go on beside who makes it now. */
  try_number: number
  /** Of the last try, also while another follows. */
  error: string | null
  first_error: string | null
  requested_by: string
  created_at: string
  updated_at: string
}

const columns =
  'job_id, post_id, media, hash, state, progress, try_number, error, first_error, requested_by, created_at, updated_at'

export type NewMediaJob = Pick<MediaJobRow, 'post_id' | 'media' | 'hash' | 'requested_by'>

/** The job of this text and these kinds, locked: the one there is, or a new one. */
export async function ensureJob(tx: Tx, { post_id, media, hash, requested_by }: NewMediaJob): Promise<MediaJobRow> {
  const [row] = await tx.query<MediaJobRow>(
    `insert into media_jobs (post_id, media, hash, requested_by, state) values ($1, $2::text[], $3, $4, 'removed')
     on conflict (post_id, media, hash) do update set hash = excluded.hash returning ${columns}`,
    [post_id, media, hash, requested_by]
  )
  if (row === undefined) throw new TypeError(`A job for post ${post_id} was neither there nor made.`)
  return row
}

/** False where the job is in no state that the move begins at: then nothing changes. */
export async function moveJob(
  db: Queryable,
  job_id: string,
  move: MediaJobMove,
  error: string | null = null
): Promise<boolean> {
  const { from, to } = transitions[move]
  const rows = await db.query(
    `update media_jobs set state = $3, updated_at = now(),
       error = case $3 when 'running' then error else $4 end,
       first_error = case $3 when 'running' then first_error end,
       progress = case $3 when 'done' then 100 when 'running' then progress else 0 end,
       try_number = try_number + case $3 when 'pending' then 1 else 0 end
     where job_id = $1 and state = any($2::text[]) returning job_id`,
    [job_id, [...from], to, error]
  )
  return rows.length > 0
}

/** Of a try that another follows. False when it is not being made any more. */
export async function recordFault(tx: Tx, job_id: string, error: string): Promise<boolean> {
  const rows = await tx.query(
    `update media_jobs set error = $2, first_error = coalesce(first_error, $2), updated_at = now()
     where job_id = $1 and state = 'running' returning job_id`,
    [job_id, error]
  )
  return rows.length > 0
}

/** Of one try. False when it is not being made any more. */
export async function setProgress(
  db: Queryable,
  { job_id, try_number }: Pick<MediaJobRow, 'job_id' | 'try_number'>,
  progress: number
): Promise<boolean> {
  const rows = await db.query(
    `update media_jobs set progress = $2, updated_at = now()
     where job_id = $1 and try_number = $3 and state = 'running' returning job_id`,
    [job_id, progress, try_number]
  )
  return rows.length > 0
}

/** The same for all jobs of a post. @returns how many moved */
export async function moveJobs(tx: Tx, post_id: string, move: MediaJobMove): Promise<number> {
  const { from, to } = transitions[move]
  const rows = await tx.query(
    `update media_jobs set state = $3, progress = 0, updated_at = now()
     where post_id = $1 and state = any($2::text[]) returning job_id`,
    [post_id, [...from], to]
  )
  return rows.length
}

/** @throws as `resolveId` */
export const resolveJob = (db: Queryable, text: string): Promise<string> => resolveId(db, 'media_jobs', 'job_id', text)

export async function findJob(db: Queryable, job_id: string): Promise<MediaJobRow | undefined> {
  const [row] = await db.query<MediaJobRow>(`select ${columns} from media_jobs where job_id = $1`, [job_id])
  return row
}

export async function lockJob(tx: Tx, job_id: string): Promise<MediaJobRow | undefined> {
  const [row] = await tx.query<MediaJobRow>(`select ${columns} from media_jobs where job_id = $1 for update`, [job_id])
  return row
}

/** The kinds that were asked for of a post, unless they were removed. */
export async function listWantedKinds(db: Queryable, post_id: string): Promise<string[]> {
  const rows = await db.query<{ kind: string }>(
    `select distinct unnest(media) as kind from media_jobs where post_id = $1 and state <> 'removed'`,
    [post_id]
  )
  return rows.map(({ kind }) => kind)
}

/** Those of the posts that media were ever asked for. */
export async function listPostsWithJobs(db: Queryable, post_ids: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ post_id: string }>(
    'select distinct post_id from media_jobs where post_id = any($1::uuid[])',
    [post_ids]
  )
  return rows.map(({ post_id }) => post_id)
}

/**
 * Whether another job of the same text is speaking, or goes on to. One that has written nothing for an hour waits for a budget,
 * or has spoken long ago.
 */
export async function isSpokenByAnother(
  db: Queryable,
  { post_id, job_id, hash }: Pick<MediaJobRow, 'post_id' | 'job_id' | 'hash'>
): Promise<boolean> {
  const rows = await db.query(
    `select from media_jobs
     where post_id = $1 and job_id <> $2 and hash = $3 and state = 'running' and 'podcast' = any(media)
       and updated_at > now() - interval '1 hour'`,
    [post_id, job_id, hash]
  )
  return rows.length > 0
}

/** The posts that media are being made of. */
export async function listPostsInWork(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ post_id: string }>(
    `select distinct post_id from media_jobs where state in ('pending', 'running')`
  )
  return rows.map(({ post_id }) => post_id)
}

/** Newest first; the row after the page tells that there is more. */
export function listJobs(db: Queryable, post_id: string | null, page: PageRequest): Promise<MediaJobRow[]> {
  const [created_at = null, job_id = null] = page.after ?? []
  return db.query<MediaJobRow>(
    `select ${columns} from media_jobs
     where ($1::uuid is null or post_id = $1)
       and ($2::timestamptz is null or (created_at, job_id) < ($2::timestamptz, $3::uuid))
     order by created_at desc, job_id desc limit $4 offset $5`,
    [post_id, created_at, job_id, fetchLimit(page), page.offset]
  )
}

export async function countJobs(db: Queryable, post_id: string | null): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*) as count from media_jobs where $1::uuid is null or post_id = $1',
    [post_id]
  )
  return row?.count ?? 0
}

/** The latest failed job of each post and its kinds, latest first. */
export function listFailedRequests(db: Queryable, limit: number): Promise<MediaJobRow[]> {
  return db.query<MediaJobRow>(
    `select ${columns} from
       (select distinct on (post_id, media) ${columns} from media_jobs where state = 'failed'
        order by post_id, media, updated_at desc) as failed
     order by updated_at desc limit $1`,
    [limit]
  )
}

export async function countFailedJobs(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(`select count(*) as count from media_jobs where state = 'failed'`)
  return row?.count ?? 0
}

/** The latest failed job of each post that has not been made since, latest first. */
export function listFailed(db: Queryable, limit: number): Promise<MediaJobRow[]> {
  return db.query<MediaJobRow>(
    `select ${columns} from
       (select distinct on (post_id) ${columns} from media_jobs where state = 'failed' order by post_id, updated_at desc)
       as failed
     order by updated_at desc limit $1`,
    [limit]
  )
}

/** Those that are being made and those that failed, latest first. */
export function listUnfinishedJobs(db: Queryable, post_id: string): Promise<MediaJobRow[]> {
  return db.query<MediaJobRow>(
    `select ${columns} from media_jobs where post_id = $1 and state in ('pending', 'running', 'failed')
     order by updated_at desc, job_id`,
    [post_id]
  )
}

/** Once a job is done: those of other texts. */
export async function supersedeOthers(tx: Tx, { post_id, job_id, hash }: MediaJobRow): Promise<void> {
  const { from, to } = transitions.supersede
  await tx.query(
    `update media_jobs set state = $5, progress = 0, updated_at = now()
     where post_id = $1 and job_id <> $2 and state = any($4::text[]) and hash <> $3`,
    [post_id, job_id, hash, [...from], to]
  )
}

/** What is still being made of another text, or was not to be had. */
export async function replaceOlder(tx: Tx, post_id: string, hash: string): Promise<void> {
  const { from, to } = transitions.replace
  await tx.query(
    `update media_jobs set state = $4, progress = 0, updated_at = now()
     where post_id = $1 and hash <> $2 and state = any($3::text[])`,
    [post_id, hash, [...from], to]
  )
}
