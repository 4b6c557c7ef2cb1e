import { type Db, type Log, messageOf, type Tx } from '#core'
import type { Posts } from '#plugins/posts'
import { isForLog } from '../presentable.ts'
import { listKinds } from '../repository/files.ts'
import { type MediaJobRow, recordFault } from '../repository/jobs.ts'
import { offeredKinds } from './kinds.ts'

interface FaultDeps {
  db: Db
  posts: Pick<Posts, 'lock' | 'setMedia'>
  log: Pick<Log, 'warn'>
}

/** Records why a try failed, while another follows. */
export async function recordTryFault(deps: FaultDeps, job: MediaJobRow, error: unknown): Promise<void> {
  const { post_id, job_id } = job
  logUnforeseen(deps, { post_id, job_id }, error)
  await logIfNotRecorded(deps, job, () => deps.db.transaction(tx => writeTryFault(deps, tx, job, error)))
}

/** The same in the transaction of the caller: the job and what the post says of it are written together. */
export async function writeTryFault(
  { posts }: Pick<FaultDeps, 'posts'>,
  tx: Tx,
  { job_id, post_id }: Pick<MediaJobRow, 'job_id' | 'post_id'>,
  error: unknown
): Promise<void> {
  const reason = messageOf(error)
  await posts.lock(tx, post_id)
  if (!(await recordFault(tx, job_id, reason))) return
  const media = offeredKinds(await listKinds(tx, [post_id]))
  await posts.setMedia(tx, post_id, { media, state: 'pending', error: reason }, { actor: 'media' })
}

/** Why a try failed, where that is not what readers of the post are shown. */
export function logUnforeseen(
  { log }: Pick<FaultDeps, 'log'>,
  about: { post_id: string; job_id: string | undefined },
  err: unknown
): void {
  if (isForLog(err)) log.warn({ err, ...about }, 'a try to make media failed')
}

/** Records an error. Where that fails, it only logs why: the caller reports the error itself. */
export async function logIfNotRecorded(
  { log }: Pick<FaultDeps, 'log'>,
  { post_id }: Pick<MediaJobRow, 'post_id'>,
  record: () => Promise<void>
): Promise<void> {
  try {
    await record()
  } catch (unrecorded) {
    log.warn({ err: unrecorded, post_id }, 'the fault of a try could not be stored')
  }
}

/** Why a job failed: the last try may fail of something else than those before, and hide what is to be corrected. */
export const jobFault = (first: string | null, last: string): string =>
  first === null || first === last ? last : `${first} The last try failed otherwise: ${last}`
