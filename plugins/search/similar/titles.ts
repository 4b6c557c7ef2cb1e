import { type Changes, type Db, type Enqueue, type Job, job, jobType, type Log, UnavailableError } from '#core'
import { type Memory, similarityAboveBaseline } from '#plugins/memory'
import type { SimilarPost } from '#plugins/posts'
import { restoreCacheTag } from '../cache-tags.ts'
import { readHorizon } from '../repository/horizon.ts'
import {
  findNearestTitle,
  listTitlesWithout,
  type StoredVector,
  storeTitleEmbeddings,
  type TitleRow,
  type TitleScope
} from '../repository/titles.ts'
import type { Throttle } from '../search-traffic.ts'

export interface Titles {
  /** Embeds the published titles of these posts that have no embedding by the present model. Does nothing while no embedder answers. */
  embed(post_ids: readonly string[]): Promise<void>
  /** The same for all posts. `throttle` is awaited before each part. */
  embedAll(throttle: Throttle): Promise<void>
  /**
   * The published post whose title is nearest; null while no embedder answers. A few titles without an embedding are
   * embedded before. Where there are more, as after a change of the model, a job embeds them and the others are compared.
   */
  nearest(title: string): Promise<SimilarPost | null>
}

const EmbedTitles = jobType<Record<string, never>>('search.embed_titles')

export const embedTitlesJob = (embedAll: (signal: AbortSignal) => Promise<void>): Job =>
  job(EmbedTitles, (_, { signal }) => embedAll(signal), { timeoutSeconds: 21_600, isResumable: true })

export interface TitlesDeps {
  db: Db
  changes: Changes
  memory: Memory | undefined
  enqueue: Enqueue
  log: Log
}

/** Some 10 ms of this process's one thread. */
const titleBatchSize = 50
/** Somebody waits for the answer: those that were published just now, and not many. */
const maxTitlesPerRequest = 20

/** Compares titles by their embeddings. The embedder is asked outside of every transaction. */
export function createTitles({ db, changes, memory, enqueue, log }: TitlesDeps): Titles {
  // Not known before the first answer: at most one batch is embedded again.
  let model = ''
  const embedIn = async (first: TitleScope, throttle: Throttle = async () => {}) => {
    let scope = first
    while (true) {
      await throttle()
      const titles = await listTitlesWithout(db, model, scope, titleBatchSize)
      const embedded = titles.length === 0 ? undefined : await embedUnlessUnavailable(memory, titles, log)
      if (embedded === undefined) return
      await storeTitleEmbeddings(db, embedded.model, titles, embedded.embeddings.map(toStored))
      const isOther = embedded.model !== model
      model = embedded.model
      if (isOther) scope = first
      else if (titles.length < titleBatchSize) return
      else if (first.post_ids === undefined) scope = { after: titles.at(-1)?.post_id }
    }
  }
  const listMissing = createMissingTitles({ db, changes })
  const embedFew = async () => {
    const missing = await listMissing(model)
    if (missing.length > maxTitlesPerRequest)
      await db.transaction(tx => enqueue(tx, EmbedTitles, {}, { key: 'search.embed_titles' }))
    else if (missing.length > 0) await embedIn({ post_ids: missing.map(({ post_id }) => post_id) })
  }
  return {
    embed: post_ids => embedIn({ post_ids }),
    embedAll: throttle => embedIn({}, throttle),
    nearest: async title => {
      const embedded = await embedUnlessUnavailable(memory, [{ title }], log)
      const embedding = embedded?.embeddings[0]
      if (embedded === undefined || embedding === undefined) return null
      model = embedded.model
      await embedFew()
      const nearest = await findNearestTitle(db, embedded.model, toStored(embedding))
      return nearest === undefined
        ? null
        : { ...nearest, similarity: similarityAboveBaseline(nearest.similarity, embedded.baselineCosine) }
    }
  }
}

/** A job embeds all meanwhile. */
const lookAgainMs = 60_000

/**
 * Titles without an embedding by a model, one more than a request embeds. Once it has looked through all posts, it looks at those
 * that changed since: for good when none was missing, else for a minute.
 */
function createMissingTitles({ db, changes }: Pick<TitlesDeps, 'db' | 'changes'>) {
  let looked = { model: '', horizon: '', until: 0 }
  changes.on(restoreCacheTag, () => {
    looked = { ...looked, until: 0 }
  })
  return async (model: string): Promise<TitleRow[]> => {
    const horizon = await readHorizon(db)
    const known = looked.model === model && performance.now() < looked.until ? looked : undefined
    const scope = known === undefined ? {} : { horizon: known.horizon }
    const missing = await listTitlesWithout(db, model, scope, maxTitlesPerRequest + 1)
    if (missing.length === 0) looked = { model, horizon, until: known?.until ?? Number.POSITIVE_INFINITY }
    else if (missing.length > maxTitlesPerRequest && known === undefined)
      looked = { model, horizon, until: performance.now() + lookAgainMs }
    return missing
  }
}

async function embedUnlessUnavailable(memory: Memory | undefined, titles: readonly { title: string }[], log: Log) {
  try {
    return await memory?.embed(titles.map(({ title }) => title))
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    log.warn({ err: error }, 'the embedder does not answer: titles are not compared')
    return undefined
  }
}

const toStored = (embedding: readonly number[]): StoredVector => ({
  embedding: `[${embedding.join(',')}]`,
  signs: embedding.map(value => (value > 0 ? '1' : '0')).join('')
})
