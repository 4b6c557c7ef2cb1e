import { type Db, type Enqueue, type Job, job, jobType, on, type Subscription } from '#core'
import type { StaticExport } from '#plugins/export'
import { PostEdited, PostPublished, PostWithdrawn } from '#plugins/posts'
import type { PostSearch } from '#plugins/search'
import { deleteUnneeded, listUnrelated, saveRelated } from '../repository/related.ts'

const relatedPosts = 3
const batchSize = 50
/** One run. The export shows what was found, and the next one goes on. */
const maxPerRun = 1000

const RelatePosts = jobType<Record<string, never>>('site.relate')

export interface RelateDeps {
  db: Db
  enqueue: Enqueue
  search: PostSearch
  staticExport: StaticExport
}

/**
 * Records which posts are related to which, for the export: a page that is written once cannot ask the search for each
 * reader. Whatever is missing or outdated is found by looking, so that no lost event leaves it so.
 */
export const relateJob = (deps: RelateDeps): Job =>
  job(
    RelatePosts,
    async (_, { signal }) => {
      await deleteUnneeded(deps.db)
      const related = await relateAll(deps, signal)
      if (related > 0) await deps.staticExport.requestRefresh()
      if (related >= maxPerRun) await requestRelated(deps)()
    },
    { cron: '25 * * * *', timeoutSeconds: 3600 }
  )

async function relateAll({ db, search }: RelateDeps, signal: AbortSignal): Promise<number> {
  let done = 0
  while (done < maxPerRun) {
    const posts = await listUnrelated(db, { wanted: relatedPosts, limit: batchSize })
    for (const { post_id, slug, revision, among } of posts) {
      signal.throwIfAborted()
      const found = await search.related(slug, relatedPosts)
      await saveRelated(db, { post_id, revision, among, related: found.map(other => other.post_id) })
    }
    done += posts.length
    if (posts.length < batchSize) return done
  }
  return done
}

const requestRelated =
  ({ db, enqueue }: Pick<RelateDeps, 'db' | 'enqueue'>) =>
  (): Promise<void> =>
    db.transaction(tx => enqueue(tx, RelatePosts, {}, { key: 'relate' }))

export function followRelated(deps: Pick<RelateDeps, 'db' | 'enqueue'>): Subscription[] {
  const request = requestRelated(deps)
  return [on(PostPublished, request, { maxBatch: 250 }), on(PostEdited, request), on(PostWithdrawn, request)]
}
