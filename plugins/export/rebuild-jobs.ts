import { randomUUID } from 'node:crypto'
import { type Db, isUuid, type Log, messageOf, NotFoundError, withTimeout } from '#core'
import type { ExportReport } from './export-report.ts'
import type { Exports } from './exports.ts'
import { listParts } from './repository/export.ts'
import {
  endRebuild,
  findRebuild,
  insertRebuild,
  type RebuildRow,
  recordRebuildProgress
} from './repository/rebuilds.ts'

const saveEveryMs = 1000
/** A live process updates its rebuild more often. */
const lostAfterSeconds = 20

/** `posts` of `public_posts` are written. `error` says why it failed. Times are ISO 8601. */
export interface RebuildJob extends RebuildRow {
  public_posts: number
}

/** Rebuilds for callers who do not wait for the end. */
export interface RebuildJobs {
  /**
   * Writes every file again. A caller who has waited for `waitMs` gets the id of a job, and the rebuild goes on.
   * @throws UnavailableError as `Exports.rebuild`
   */
  rebuild(waitMs: number): Promise<{ report: ExportReport } | { job_id: string }>
  /** @throws NotFoundError */
  get(job_id: string): Promise<RebuildJob>
}

interface RebuildJobDeps {
  exports: Exports
  db: Db
  log: Log
}

export function createRebuildJobs({ exports, db, log }: RebuildJobDeps): RebuildJobs {
  return {
    async rebuild(waitMs) {
      const written = { posts: 0 }
      const onProgress = (posts: number) => {
        written.posts = posts
      }
      const running = exports.rebuild({ onProgress })
      const ended = running.then(report => ({ report }))
      return withTimeout(waitMs, ended, async () => {
        const job_id = randomUUID()
        await insertRebuild(db, job_id)
        follow({ db, log }, { job_id, written, running }).catch((error: unknown) =>
          log.error({ job_id, error: messageOf(error) }, 'how a rebuild of the export ended was not stored')
        )
        return { job_id }
      })
    },
    async get(job_id) {
      const row = isUuid(job_id) ? await findRebuild(db, job_id, lostAfterSeconds) : undefined
      if (row === undefined) throw new NotFoundError(`There is no rebuild ${job_id}: they are kept for a week.`)
      const public_posts = (await listParts(db)).reduce((sum, { posts }) => sum + posts, 0)
      return { ...row, public_posts }
    }
  }
}

interface FollowedRebuild {
  job_id: string
  written: { posts: number }
  running: Promise<ExportReport>
}

/** Stores the progress of a rebuild, and how it ended. */
async function follow({ db, log }: { db: Db; log: Log }, { job_id, written, running }: FollowedRebuild): Promise<void> {
  const save = () =>
    recordRebuildProgress(db, job_id, written.posts).catch((error: unknown) =>
      log.warn({ job_id, error: messageOf(error) }, 'how far a rebuild of the export is was not stored')
    )
  const timer = setInterval(() => void save(), saveEveryMs)
  try {
    const report = await running
    await endRebuild(db, job_id, { state: 'done', posts: report.posts, report, error: null })
  } catch (error) {
    await endRebuild(db, job_id, { state: 'failed', posts: written.posts, report: null, error: messageOf(error) })
  } finally {
    clearInterval(timer)
  }
}
