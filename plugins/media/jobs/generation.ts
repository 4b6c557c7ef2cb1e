import { AppError, type Db, type Installation, NotFoundError } from '#core'
import { type Page, type PageQuery, pageRequest, toPage } from '#lists'
import type { Posts } from '#plugins/posts'
import { listFiles } from '../repository/files.ts'
import {
  countFailedJobs,
  countJobs,
  findJob,
  listFailedRequests,
  listJobs,
  type MediaJobRow,
  resolveJob
} from '../repository/jobs.ts'
import type { MediaRequests } from './media-requests.ts'
import type { Removal } from './removal.ts'

/** A job as clients see it. */
export type MediaJob = Omit<MediaJobRow, 'hash' | 'try_number' | 'first_error' | 'requested_by'>

/** The same with what it made. */
export interface MediaJobWithFiles extends MediaJob {
  files: { url: string; bytes: number; duration_ms: number | null; made_at: string }[]
}

/** What became of failed media that were asked for again. */
export interface AskedAgain {
  asked: MediaJob[]
  /** Those that cannot be made any more, such as of a post that is not public. */
  refused: { post_id: string; message: string }[]
  /** Jobs that are still failed. */
  left: number
}

/** What clients and operators do with media. Posts are named by an id or a prefix of it. */
export interface Generation {
  /** @throws as `MediaRequests.generate` */
  generate(post: string, kinds: readonly string[] | undefined, actor: string): Promise<MediaJob>
  /** Asks for the media of the latest failed jobs again, at most `limit`. */
  generateFailed(limit: number, actor: string): Promise<AskedAgain>
  /** @throws NotFoundError; AppError `AMBIGUOUS_ID` */
  get(job: string): Promise<MediaJobWithFiles>
  /** Newest first. */
  list(query: PageQuery & { post_id?: string | undefined }): Promise<Page<MediaJob>>
  /** @throws ConflictError when there is nothing to remove */
  remove(post: string, actor: string): Promise<{ post_id: string; removed: number }>
}

export interface GenerationDeps {
  db: Db
  posts: Pick<Posts, 'resolve'>
  requests: MediaRequests
  removal: Removal
  installation: Pick<Installation, 'baseUrl'>
}

export function createGeneration({ db, posts, requests, removal, installation }: GenerationDeps): Generation {
  return {
    generate: async (post, kinds, actor) =>
      viewOf(await requests.generate(await posts.resolve(db, post), kinds, actor)),
    generateFailed: async (limit, actor) => {
      const asked: MediaJob[] = []
      const refused: AskedAgain['refused'] = []
      for (const { post_id, media } of await listFailedRequests(db, limit)) {
        try {
          asked.push(viewOf(await requests.generate(post_id, media, actor)))
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          refused.push({ post_id, message: error.message })
        }
      }
      return { asked, refused, left: await countFailedJobs(db) }
    },
    get: async text => {
      const job_id = await resolveJob(db, text)
      const job = await findJob(db, job_id)
      if (job === undefined) throw new NotFoundError(`There is no media job ${job_id}.`)
      const made = (await listFiles(db, job.post_id)).filter(
        file => job.state === 'done' && job.media.includes(file.kind)
      )
      const files = made.map(({ extension, bytes, duration_ms, made_at }) => {
        const url = `${installation.baseUrl()}/episodes/${job.post_id}.${extension}`
        return { url, bytes, duration_ms, made_at }
      })
      return Object.assign(viewOf(job), { files })
    },
    list: async ({ post_id: post, ...query }) => {
      const post_id = post === undefined ? null : await posts.resolve(db, post)
      const page = pageRequest(query, ['timestamp', 'uuid'], ['media_jobs', post_id])
      const [rows, total] = await Promise.all([listJobs(db, post_id, page), countJobs(db, post_id)])
      return toPage(rows.map(viewOf), page, total, ({ created_at, job_id }) => [created_at, job_id])
    },
    remove: async (post, actor) => {
      const post_id = await posts.resolve(db, post)
      return { post_id, removed: await removal.remove(post_id, actor) }
    }
  }
}

function viewOf({ hash: _, try_number: __, first_error: ___, requested_by: ____, ...job }: MediaJobRow): MediaJob {
  return job
}
