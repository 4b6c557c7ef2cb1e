import { batched } from '#concurrency'
import type { Db, Log, Settings } from '#core'
import type { TextLanguage } from '#text'
import type { AnalyzedPost, PostText } from '../inverted-index/text-fields.ts'
import { readHorizon } from '../repository/horizon.ts'
import { readIndexState } from '../repository/index-state.ts'
import {
  findNewestModel,
  finishModel,
  insertModel,
  insertTermVectors,
  type LatentModelRow,
  listBeginnings,
  listSample,
  listUnfollowed,
  readFollowed,
  readTermVectors,
  savePostVectors
} from '../repository/latent.ts'
import { removeModel } from '../repository/latent-verification.ts'
import { countWaiting } from '../repository/texts.ts'
import type { searchSettings } from '../settings.ts'
import { type LatentProcess, startLatentProcess } from './latent-process.ts'
import { storedVectorBytes } from './stored-vectors.ts'

/** Keeps the model of latent semantic analysis, and the vectors of posts by it, up to date. To be called by one process at a time. */
export interface LatentIndexing {
  /** Looks without writing. */
  hasWork(run: LatentRun): Promise<boolean>
  /** Ends early when many posts wait for their place in the index: the next run goes on. */
  update(run: LatentRun): Promise<void>
}

export interface LatentRun {
  signal: AbortSignal
  /** Somebody waits for the index: the vectors of many posts are left to the job. */
  isWaitedFor: boolean
}

interface LatentDeps {
  db: Db
  settings: Settings<typeof searchSettings>
  languageOf: (post: PostText) => TextLanguage
  log: Log
}

/** Of fewer texts a model says little: their words decide. */
const minPosts = 300
/** A model is trained on so many: some seconds. */
const maxSample = 5_000
/** With so many times the posts there are other words and subjects. */
const growth = 2
/** For so many posts a model and their vectors take some seconds. */
const maxWaitedFor = 10_000
const postsAtOnce = 250
/** The beginning says what a text is about, and a long one costs no more than others. */
const maxCharacters = 20_000
const beforeFirst = -1
/** From so many posts on that wait for the index, it goes first. Fewer are found anyway, and while posts are published some always wait. */
const minToIndexFirst = 64

export function createLatentIndexing(deps: LatentDeps): LatentIndexing {
  const { db, settings, languageOf } = deps
  const analyzed = (posts: readonly PostText[]): AnalyzedPost[] =>
    posts.map(post => ({ ...post, analyzed_as: languageOf(post) }))
  return {
    hasWork: async ({ isWaitedFor }) => {
      const { posts, is_behind } = await readFollowed(db)
      if (isWaitedFor && posts > maxWaitedFor) return false
      return is_behind || (await needsModel(deps, posts))
    },
    async update({ signal, isWaitedFor }) {
      const { posts } = await readFollowed(db)
      if (isWaitedFor && posts > maxWaitedFor) return
      let process: LatentProcess | undefined
      const started = () => (process ??= startLatentProcess(signal))
      try {
        const language = settings.get('search_language')
        // Searches read it until a newer one has all vectors, which may take many runs.
        const ready = await findNewestModel(db, { isReady: true })
        if (ready?.language === language && !(await follow(deps, started, { ...ready, analyzed, signal }))) return
        if (await needsModel(deps, posts)) await train(deps, started(), { posts, analyzed, signal })
        const newest = await findNewestModel(db)
        if (newest !== undefined && newest.model_id !== ready?.model_id)
          await follow(deps, started, { ...newest, analyzed, signal })
      } finally {
        process?.end()
      }
    }
  }
}

async function needsModel({ db, settings }: LatentDeps, posts: number): Promise<boolean> {
  if (posts < minPosts) return false
  const model = await findNewestModel(db)
  if (model === undefined || model.language !== settings.get('search_language')) return true
  return model.is_ready && posts >= model.posts * growth
}

interface Work {
  analyzed(posts: readonly PostText[]): AnalyzedPost[]
  signal: AbortSignal
}

async function train(
  { db, settings, log }: LatentDeps,
  process: LatentProcess,
  { posts, analyzed, signal }: Work & { posts: number }
): Promise<void> {
  const language = settings.get('search_language')
  const sample = await listSample(db, maxSample)
  for (const post_nos of batched(sample, { maxItems: postsAtOnce })) {
    signal.throwIfAborted()
    await process.add(analyzed(await listBeginnings(db, post_nos, maxCharacters)))
  }
  const model = await process.train()
  await db.transaction(async tx => {
    const model_id = await insertModel(tx, { posts, language, terms: model.terms.length })
    await insertTermVectors(tx, model_id, { ...model, bytes: storedVectorBytes })
  })
  log.info({ posts: sample.length, terms: model.terms.length }, 'a model of latent semantic analysis was trained')
}

/** Makes the vectors of posts that changed since the last time. @returns false when the index goes first, or the model is gone */
async function follow(
  { db, log }: LatentDeps,
  started: () => LatentProcess,
  { model_id, terms, analyzed, signal }: Work & Pick<LatentModelRow, 'model_id' | 'terms'>
): Promise<boolean> {
  // Read before the posts: what is committed later is looked at again.
  const horizon = await readHorizon(db)
  let isLoaded = false
  for (let after = beforeFirst; ; ) {
    signal.throwIfAborted()
    const { rebuild_through } = await readIndexState(db)
    if (rebuild_through > 0 || (await countWaiting(db)) >= minToIndexFirst) return false
    const post_nos = await listUnfollowed(db, model_id, after, postsAtOnce)
    if (post_nos.length === 0) break
    after = post_nos.at(-1) ?? after
    const posts = await listBeginnings(db, post_nos, maxCharacters)
    isLoaded ||= await started().use({ ...(await readTermVectors(db, model_id)), count: terms })
    if (!isLoaded) {
      log.error({ model: model_id }, 'a model of latent semantic analysis is damaged: another one is trained')
      await removeModel(db, model_id)
      return false
    }
    const vectors = await started().embed(analyzed(posts))
    await savePostVectors(db, model_id, { posts, vectors, bytes: storedVectorBytes })
  }
  await db.transaction(tx => finishModel(tx, model_id, horizon))
  return true
}
