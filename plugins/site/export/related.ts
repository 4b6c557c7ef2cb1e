import { batched } from '#concurrency'
import { type Db, type Enqueue, type Job, job, jobType, on, type Subscription, UnavailableError } from '#core'
import type { StaticExport } from '#plugins/export'
import { PostEdited, PostPublished, PostWithdrawn } from '#plugins/posts'
import type { PostSearch } from '#plugins/search'
import { deleteUnneeded, listUnrelated, type RelatedRow, saveRelated } from '../repository/related.ts'

const relatedPosts = 3
/** So many pages differ from the export at most: a withdrawal waits for the run that writes them. */
const relatedAtOnce = 100
/** What a job that ends early does again, at most: some tenths of a second of work, or minutes beside searches. */
const savedAtOnce = 25
/** One run. The next one goes on. */
const maxPerRun = 1000
/** It waits for the export, during which a process may be killed that has nothing to do with it. */
const maxDeaths = 10

const RelatePosts = jobType<Record<string, never>>('site.relate')

interface RelateDeps {
  db: Db
  enqueue: Enqueue
  search: PostSearch
  staticExport: Pick<StaticExport, 'refresh'>
}

/**
 * Records which posts are related to which, for the export: a page that is written once cannot ask the search for each
 * reader. Whatever is missing or outdated is found by looking, so that no lost event leaves it so.
 */
export const relateJob = (deps: RelateDeps): Job =>
  job(
    RelatePosts,
    async (_, { signal, recordProgress }) => {
      const throttle = deps.search.throttle(signal)
      await deleteUnneeded(deps.db)
      for (let done = 0; done < maxPerRun; done += relatedAtOnce) {
        const related = await relateSome(deps, throttle)
        if (related > 0 && !(await isExported(deps, signal))) return
        if (related < relatedAtOnce) return
        await recordProgress()
      }
      await requestRelated(deps)()
    },
    { cron: '25 * * * *', timeoutSeconds: 3600, maxDeaths, isResumable: true }
  )

/** @returns how many posts were related to others */
async function relateSome({ db, search }: RelateDeps, throttle: () => Promise<void>): Promise<number> {
  const posts = await listUnrelated(db, { wanted: relatedPosts, limit: relatedAtOnce })
  // To look took a second among 100,000 posts.
  await throttle()
  for (const batch of batched(posts, { maxItems: savedAtOnce })) {
    const found: RelatedRow[] = []
    for (const { slug, ...post } of batch) {
      found.push({ ...post, related: await search.relatedNumbers(slug, relatedPosts) })
      await throttle()
    }
    await saveRelated(db, found)
  }
  return posts.length
}

/** Waits until the export shows what was found. Where the target cannot be used, the next run of the job goes on. */
async function isExported({ staticExport }: RelateDeps, signal: AbortSignal): Promise<boolean> {
  try {
    await staticExport.refresh(signal)
    return true
  } catch (error) {
    if (error instanceof UnavailableError) return false
    throw error
  }
}

const requestRelated =
  ({ db, enqueue }: Pick<RelateDeps, 'db' | 'enqueue'>) =>
  (): Promise<void> =>
    db.transaction(tx => enqueue(tx, RelatePosts, {}, { key: 'relate' }))

export function followRelated(deps: Pick<RelateDeps, 'db' | 'enqueue'>): Subscription[] {
  const request = requestRelated(deps)
  return [on(PostPublished, request, { maxBatch: 250 }), on(PostEdited, request), on(PostWithdrawn, request)]
}
