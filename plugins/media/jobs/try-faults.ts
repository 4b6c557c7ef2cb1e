import { type Db, type Log, messageOf } from '#core'
import type { Posts } from '#plugins/posts'
import { listKinds } from '../repository/files.ts'
import { type MediaJobRow, noteFault } from '../repository/jobs.ts'
import { offeredKinds } from './kinds.ts'

interface FaultDeps {
  db: Db
  posts: Pick<Posts, 'lock' | 'setMedia'>
  log: Pick<Log, 'warn'>
}

/** Notes why a try failed, while another follows. What keeps it from that is logged: the fault itself is reported. */
export async function noteTryFault(
  { db, posts, log }: FaultDeps,
  { job_id, post_id }: MediaJobRow,
  error: unknown
): Promise<void> {
  const reason = messageOf(error)
  try {
    await db.transaction(async tx => {
      await posts.lock(tx, post_id)
      if (!(await noteFault(tx, job_id, reason))) return
      const media = offeredKinds(await listKinds(tx, [post_id]))
      await posts.setMedia(tx, post_id, { media, state: 'pending', error: reason }, { actor: 'media' })
    })
  } catch (unnoted) {
    log.warn({ err: unnoted, job_id }, 'the fault of a try could not be noted')
  }
}

/** Why a job failed: the last try may fail of something else than those before, and hide what is to be corrected. */
export const jobFault = (first: string | null, last: string): string =>
  first === null || first === last ? last : `${first} The last try failed otherwise: ${last}`
