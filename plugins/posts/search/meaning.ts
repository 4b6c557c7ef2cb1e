import { type Changes, type Db, type Log, type Settings, UnavailableError } from '#core'
import type { Memory } from '#plugins/memory'
import { listPlaces } from '../repository/search.ts'
import type { postSettings } from '../settings.ts'
import { searchTopic } from './terms.ts'

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
  nearest(q: string): Promise<Near[] | undefined>
  /** How much its list counts. */
  weight(): Promise<Weight>
}

export interface Weight {
  /** What a place in the list is worth, in places in the list by words. */
  weight: number
  /** The embedder that serves knows words alone, and nobody has said how much it shall count: it adds nothing to many posts that have the words. */
  knowsWordsAlone: boolean
}

export interface MeaningDeps {
  db: Db
  memory: Memory | undefined
  changes: Changes
  settings: Settings<typeof postSettings>
  log: Log
  now: () => Date
}

/** Posts asked for. */
const nearestPosts = 100
/** Readers wait no longer for what an answer can do without. */
const patienceMs = 2000
/** After a failure the embedder is left alone for so long. */
const restMs = 5000
/** A memory that holds no post is asked again after so long: it may be filled without telling. */
const emptyMs = 10_000
/** The embedded embedder knows words alone, which the other list knows better; of a model that knows meaning as much can be expected. */
const weights = { embedded: 0.3, others: 1 }

/** Without a memory there is no meaning to search by: the list is empty. */
export function createMeaning({ db, memory, changes, settings, log, now }: MeaningDeps): Meaning {
  let restsUntil = 0
  let emptyUntil = 0
  let generation = 0
  changes.on(searchTopic, () => {
    generation += 1
    emptyUntil = 0
  })
  const ask = async (q: string) => {
    if (memory === undefined || now().getTime() < emptyUntil) return []
    if (now().getTime() < restsUntil) return undefined
    try {
      const begun = generation
      const found = await within(patienceMs, nearestTo(memory, q))
      if (found.length === 0 && begun === generation) emptyUntil = now().getTime() + emptyMs
      return found
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      restsUntil = now().getTime() + restMs
      log.warn({ err: error }, 'the embedder does not answer: posts are searched by words alone')
      return undefined
    }
  }
  return {
    weight: async () => {
      const told = settings.get('search_meaning_weight')
      if (told !== 0) return { weight: told, knowsWordsAlone: false }
      const knowsWordsAlone = (await memory?.knowsWordsAlone()) ?? false
      return { weight: knowsWordsAlone ? weights.embedded : weights.others, knowsWordsAlone }
    },
    nearest: async q => {
      // Also what no embedder should be asked for.
      if (!settings.get('search_by_meaning') || q.trim() === '') return []
      const found = await ask(q)
      if (found === undefined) return undefined
      const similarity = new Map(
        found.filter(({ source_id }) => isId(source_id)).map(each => [each.source_id, each.similarity])
      )
      if (similarity.size === 0) return []
      const places = await listPlaces(db, [...similarity.keys()])
      const placed = places.map(place => ({ ...place, similarity: similarity.get(place.post_id) ?? 0 }))
      return placed.sort((a, b) => b.similarity - a.similarity || b.seconds - a.seconds || b.post_no - a.post_no)
    }
  }
}

/** @throws UnavailableError when the embedder does not answer, which an empty list alone does not tell. */
async function nearestTo(memory: Memory, q: string) {
  const found = await memory.nearest('posts', q, nearestPosts)
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
