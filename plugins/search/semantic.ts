import { type Changes, type Db, isUuid, type Log, type Settings, UnavailableError, withTimeout } from '#core'
import type { Memory, NearestOptions } from '#plugins/memory'
import { postEntriesCacheTag } from '#plugins/posts'
import type { LatentSimilarity } from './latent/latent-similarity.ts'
import { listIds, listIndexed } from './repository/posts.ts'
import type { searchSettings } from './settings.ts'
import type { PostComparison, PostSimilarity } from './similarity.ts'

/** The part of a search that compares vectors. */
export interface SemanticSearch {
  /** The public posts nearest to a text, best first; undefined when the embedder does not answer in time. */
  nearest(q: string, options?: SemanticOptions): Promise<PostSimilarity[] | undefined>
  /** How near these posts (post_no) are to a query, those that have a vector; undefined as above. */
  compare(q: string, posts: readonly number[], options: ComparisonOptions): Promise<PostComparison | undefined>
  weight(): Promise<SemanticWeight>
}

export interface SemanticOptions {
  /** The text is a query that somebody typed, however long it is. */
  isQuery?: boolean
  /** What is like these posts (post_no) is ranked higher. */
  relevant?: readonly number[]
  /** The caller reports a failing embedder itself: the log has no warning then. */
  reportsFailure?: boolean
}

interface ComparisonOptions extends Pick<SemanticOptions, 'reportsFailure'> {
  /** How much each of the posts counts as like the query, 0–1. The embedder is told the first. */
  relevances: readonly number[]
  /** Without a model of the posts the embedder compares them. */
  asksEmbedder: boolean
}

/** How much a rank by vectors counts, in ranks by words. */
interface SemanticWeight {
  weight: number
  /** The same for a ranking with relevant posts, by the number of words in the query. */
  relevanceWeight(words: number): number
  /** The embedder compares words alone, and no weight is set: it adds nothing where many posts have the words. */
  isLexical: boolean
}

interface SemanticDeps {
  db: Db
  memory: Memory | undefined
  latent: LatentSimilarity
  changes: Changes
  settings: Settings<typeof searchSettings>
  log: Log
  now: () => Date
}

const maxPosts = 100
/** The embedder may take this many times as long as the words. After that the search goes on without it. */
const timeoutFactor = 3
/** After a failure the embedder is not asked for so long. */
const retryMs = 5000
/** An empty memory is asked again after this time: it may be filled without a change of posts. */
const emptyMs = 10_000
/** Shorter for a search of some posts: their vectors arrive without an event. */
const emptyAmongMs = 1_000
/** The embedded embedder compares words, and the lexical search does that better. A model knows meaning. */
const weights = { embedded: 0.3, others: 0.5 }
/** How much a comparison of posts counts beside the words: a model of the posts knows what they say together. */
const comparisonWeights = { model: 2, embedder: 1 }
/** Weight by the number of query words. For one word only the field it stands in decides, so the weight is 0. */
const relevanceWeights = [0, 0, 0.4, 1] as const

/** Without a memory it finds nothing. */
export function createSemanticSearch(deps: SemanticDeps): SemanticSearch {
  const { db, memory, latent, settings } = deps
  const { ask, isKnownEmpty } = createMemoryQueries(deps)
  // Also what no embedder should be asked for.
  const mayAsk = (q: string) =>
    memory !== undefined && settings.get('search_by_meaning') && q.trim() !== '' && !isKnownEmpty()
  return {
    weight: async () => {
      const set = settings.get('search_meaning_weight')
      if (set !== 0) return { weight: set, relevanceWeight: () => set, isLexical: false }
      const isLexical = (await memory?.isLexical()) ?? true
      const relevanceWeight = (words: number) => relevanceWeights[Math.min(words, relevanceWeights.length - 1)] ?? 0
      return { weight: isLexical ? weights.embedded : weights.others, relevanceWeight, isLexical }
    },
    nearest: async (q, { isQuery, relevant = [], reportsFailure = false } = {}) => {
      if (!mayAsk(q)) return []
      const ids = relevant.length === 0 ? new Map<number, string>() : await listIds(db, relevant)
      const found = await ask(q, { relevantIds: [...ids.values()], isQuery }, reportsFailure)
      if (found === undefined) return undefined
      // Entries of `posts` may be stored by hand under any id.
      const near = withRanks(found.filter(({ source_id }) => isUuid(source_id)))
      if (near.size === 0) return []
      const rows = await listIndexed(db, [...near.keys()])
      return rows
        .map(row => ({ ...row, similarity: 0, rank: 0, ...near.get(row.post_id) }))
        .sort((a, b) => a.rank - b.rank || b.seconds - a.seconds || b.post_no - a.post_no)
        .map(({ post_no, similarity }) => ({ post_no, similarity }))
    },
    compare: async (q, posts, { relevances, asksEmbedder, reportsFailure = false }) => {
      if (!settings.get('search_by_meaning')) return notCompared
      const byModel = await latent.compare(q, posts, relevances)
      if (byModel !== undefined) return { similarities: byModel, weight: comparisonWeights.model }
      if (!asksEmbedder || !mayAsk(q)) return notCompared
      const ids = await listIds(db, posts)
      const idsOf = (post_nos: readonly number[]) => post_nos.flatMap(post_no => ids.get(post_no) ?? [])
      const options = { relevantIds: idsOf(posts.slice(0, 1)), isQuery: true, among: idsOf(posts) }
      const found = await ask(q, options, reportsFailure)
      if (found === undefined) return undefined
      const bySource = new Map(found.map(({ source_id, similarity }) => [source_id, similarity]))
      const similarities = posts.flatMap(post_no => comparedAs(post_no, bySource.get(ids.get(post_no) ?? '')))
      return { similarities, weight: comparisonWeights.embedder }
    }
  }
}

const notCompared: PostComparison = { similarities: [], weight: 0 }

const comparedAs = (post_no: number, similarity: number | undefined): PostSimilarity[] =>
  similarity === undefined ? [] : [{ post_no, similarity }]

/** Asks the memory, unless it just failed or holds no post. Returns undefined for a failure. */
function createMemoryQueries({ memory, changes, settings, log, now }: SemanticDeps) {
  let unavailableUntil = 0
  let emptyUntil = 0
  let lookedAt = Number.NEGATIVE_INFINITY
  let generation = 0
  changes.on(postEntriesCacheTag, () => {
    generation += 1
    emptyUntil = 0
  })
  const nearestInTime = (memory: Memory, q: string, options: NearestOptions) => {
    const ms = timeoutFactor * settings.get('search_time_limit_ms')
    return withTimeout(ms, nearestTo(memory, q, options), (): never => {
      throw new UnavailableError(`The embedder has not answered within ${ms} ms.`)
    })
  }
  /** None of some posts has a vector. Whether no post has one is looked up beside the search, now and then. */
  const lookForAny = async (memory: Memory, q: string, begun: number) => {
    if (now().getTime() < lookedAt + emptyMs) return
    lookedAt = now().getTime()
    const found = await nearestInTime(memory, q, {})
    if (found.length > 0 || begun !== generation) return
    emptyUntil = lookedAt + emptyAmongMs
    lookedAt = Number.NEGATIVE_INFINITY
  }
  const isKnownEmpty = () => now().getTime() < emptyUntil
  const ask = async (q: string, options: NearestOptions, reportsFailure: boolean) => {
    if (memory === undefined || isKnownEmpty()) return []
    if (now().getTime() < unavailableUntil) return undefined
    try {
      const begun = generation
      const found = await nearestInTime(memory, q, options)
      if (found.length > 0) return found
      // What fails there fails again for a search that waits for it.
      if (options.among !== undefined) void lookForAny(memory, q, begun).catch(() => {})
      else if (begun === generation) emptyUntil = now().getTime() + emptyMs
      return found
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      unavailableUntil = now().getTime() + retryMs
      const level = reportsFailure ? 'info' : 'warn'
      log[level]({ err: error }, 'the embedder does not answer: posts are searched by words alone')
      return undefined
    }
  }
  return { ask, isKnownEmpty }
}

/** By source_id. Equal similarities have the same rank. */
function withRanks(found: readonly { source_id: string; similarity: number }[]) {
  let rank = 0
  return new Map(
    found.map(({ source_id, similarity }, at) => {
      if (similarity !== found[at - 1]?.similarity) rank = at
      return [source_id, { similarity, rank }]
    })
  )
}

/** @throws UnavailableError when the embedder does not answer. */
async function nearestTo(memory: Memory, q: string, options: NearestOptions) {
  const { items, degraded } = await memory.nearest('posts', q, maxPosts, options)
  if (degraded) throw new UnavailableError('The embedder does not answer.')
  return items
}
