import { type Changes, type Db, type Log, type Settings, UnavailableError } from '#core'
import type { Memory, NearestOptions } from '#plugins/memory'
import { postEntriesTopic } from '#plugins/posts'
import { listIds, listPlaces } from './repository/search.ts'
import type { searchSettings } from './settings.ts'

/** A post whose text is near the query. */
export interface Near {
  post_no: number
  post_id: string
  seconds: number
  similarity: number
}

/** Posts by meaning. */
export interface Meaning {
  /** The public posts nearest to a text, best first; undefined when the embedder does not answer in time. */
  nearest(q: string, options?: NearOptions): Promise<Near[] | undefined>
  /** How much its list counts. */
  weight(): Promise<Weight>
}

export interface NearOptions {
  /** Somebody typed the text to find something, however long it is. */
  isQuestion?: boolean
  /** What is like these posts (post_no) as well stands nearer. */
  towards?: Iterable<number>
  /** Who asks is told of an embedder that does not answer: the log need not warn of it. */
  isTold?: boolean
}

export interface Weight {
  /** What a place in the list is worth, in places in the list by words. */
  weight: number
  /** And by so many words, in a list that was moved towards that one. */
  movedWeight(words: number): number
  /** The embedder that serves knows words alone, and nobody has said how much it shall count: it adds nothing to many posts that have the words. */
  knowsWordsAlone: boolean
}

export interface MeaningDeps {
  db: Db
  memory: Memory | undefined
  changes: Changes
  settings: Settings<typeof searchSettings>
  log: Log
  now: () => Date
}

/** Posts asked for. */
const nearestPosts = 100
/** Readers wait no longer for what an answer can do without. */
const patienceMs = 750
/** After a failure the embedder is left alone for so long. */
const restMs = 5000
/** A memory that holds no post is asked again after so long: it may be filled without telling. */
const emptyMs = 10_000
/** The embedded embedder knows words alone, which the other list knows better; of a model that knows meaning as much can be expected. */
const weights = { embedded: 0.3, others: 1 }
/** By number of words: the fewer, the more it says whether title, heading or text has them. By one, order is left to that. */
const movedWeights = [0, 0, 0.3, 0.7] as const

/** Without a memory there is no meaning to search by: the list is empty. */
export function createMeaning({ db, memory, changes, settings, log, now }: MeaningDeps): Meaning {
  let restsUntil = 0
  let emptyUntil = 0
  let generation = 0
  changes.on(postEntriesTopic, () => {
    generation += 1
    emptyUntil = 0
  })
  const ask = async (q: string, options: NearestOptions, isTold: boolean) => {
    if (memory === undefined || now().getTime() < emptyUntil) return []
    if (now().getTime() < restsUntil) return undefined
    try {
      const begun = generation
      const found = await within(patienceMs, nearestTo(memory, q, options))
      if (found.length === 0 && begun === generation) emptyUntil = now().getTime() + emptyMs
      return found
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      restsUntil = now().getTime() + restMs
      log[isTold ? 'info' : 'warn']({ err: error }, 'the embedder does not answer: posts are searched by words alone')
      return undefined
    }
  }
  return {
    weight: async () => {
      const told = settings.get('search_meaning_weight')
      if (told !== 0) return { weight: told, movedWeight: () => told, knowsWordsAlone: false }
      const knowsWordsAlone = (await memory?.knowsWordsAlone()) ?? false
      const weight = knowsWordsAlone ? weights.embedded : weights.others
      const movedWeight = (words: number) => movedWeights[Math.min(words, movedWeights.length - 1)] ?? 0
      return { weight, movedWeight, knowsWordsAlone }
    },
    nearest: async (q, { isQuestion, towards = [], isTold = false } = {}) => {
      // Also what no embedder should be asked for.
      if (!settings.get('search_by_meaning') || q.trim() === '') return []
      const post_nos = [...towards]
      const ids = post_nos.length === 0 ? [] : await listIds(db, post_nos)
      const found = await ask(q, { towards: ids, ...(isQuestion !== undefined && { isQuestion }) }, isTold)
      if (found === undefined) return undefined
      const near = placed(found.filter(({ source_id }) => isId(source_id)))
      if (near.size === 0) return []
      const rows = await listPlaces(db, [...near.keys()])
      return rows
        .map(row => ({ ...row, similarity: 0, place: 0, ...near.get(row.post_id) }))
        .sort((a, b) => a.place - b.place || b.seconds - a.seconds || b.post_no - a.post_no)
    }
  }
}

/** By source_id; those as near as the one before have its place. */
function placed(found: readonly { source_id: string; similarity: number }[]) {
  let place = 0
  return new Map(
    found.map(({ source_id, similarity }, at) => {
      if (similarity !== found[at - 1]?.similarity) place = at
      return [source_id, { similarity, place }]
    })
  )
}

/** @throws UnavailableError when the embedder does not answer, which an empty list alone does not tell. */
async function nearestTo(memory: Memory, q: string, options: NearestOptions) {
  const found = await memory.nearest('posts', q, nearestPosts, options)
  if (found.length > 0) return found
  const probe = q.slice(0, 200).toWellFormed()
  const { degraded } = await memory.search({ q: probe, source_table: 'posts', limit: 1, min_similarity: 0 })
  if (degraded) throw new UnavailableError('The embedder does not answer.')
  return []
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new UnavailableError(`The embedder has not answered within ${ms} ms.`)), ms)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

// Entries of `posts` may be stored by hand under any id.
const isId = (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
