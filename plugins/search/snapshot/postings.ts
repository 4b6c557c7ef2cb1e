import type { Db } from '#core'
import type { TextLanguage } from '#text'
import type { Deadline } from '../deadline.ts'
import { createListPool, type ListMemory } from '../inverted-index/list-memory.ts'
import type { LostPosts } from '../inverted-index/lost-posts.ts'
import { createListMerge } from '../inverted-index/merged-lists.ts'
import type { PostTable } from '../inverted-index/post-table.ts'
import type { PostingList } from '../inverted-index/posting-list.ts'
import type { IndexStatistics } from '../inverted-index/ranking.ts'
import { type Weights, weightsOf } from '../inverted-index/weights.ts'
import { flagsOf } from '../languages.ts'
import type { Segment } from '../repository/segments.ts'
import { type BatchSizer, createBatchSizer } from './batch-sizer.ts'
import { createDecoding, unreadList } from './decoding.ts'
import type { IndexFollower, IndexState } from './index-state.ts'
import { createPacing, type Pacing } from './pacing.ts'
import { type PositionLists, type PositionReading, readPositionLists } from './phrase-positions.ts'
import { rarestTerms } from './rarest-terms.ts'
import { createStoredLists } from './stored-lists.ts'

/** What one search reads: all of it from one state of the index. */
export interface IndexSnapshot extends IndexStatistics {
  readonly state: IndexState
  /** In how many posts terms are; a term no post has is left out. */
  frequencies(terms: readonly string[]): Promise<Map<string, number>>
  /** Whether posts in these languages have a term that `frequencies` found. */
  isIn(term: string, languages: readonly TextLanguage[]): Promise<boolean>
  /** The words are gone that others are compared with. */
  missWords(): void
  /** The same of all posts, where the search is narrowed to some. */
  readonly whole: Pick<IndexSnapshot, 'frequencies' | 'isIn'>
  /** The lists of terms; a term no post has is left out. */
  lists(terms: readonly string[]): Promise<Map<string, PostingList>>
  /** The same of the rarest of the terms, with about so many postings together. */
  rarestLists(terms: readonly string[], maxPostings: number): Promise<Map<string, PostingList>>
  readonly pacing: Pacing
  /** One list of those of the terms that stand for one word: the longest alone when the time is up. */
  merged(lists: readonly [PostingList, ...PostingList[]]): Promise<PostingList>
  /** The positions of terms that `lists` was asked for; of the first ones, where they would take too much memory. */
  positions(terms: readonly string[]): Promise<PositionLists>
  /** The time was up before all lists were read and merged: the longest are empty. */
  isCutShort(): boolean
  /** False when posts wait for their place in the index, or a part of it could not be read: some may be missing. */
  isComplete(): boolean
  /** Gives the memory of its lists to later searches: nobody may read them any more. */
  close(): void
}

/** Narrows what a search reads: a table with fewer published posts. */
type Narrow = (table: PostTable) => Promise<PostTable>

interface SnapshotOptions {
  narrow?: Narrow | undefined
  /** When it has passed, lists that are not read yet are empty: the longest. */
  deadline?: Pick<Deadline, 'leftMs'>
}

export interface Postings {
  open(options?: SnapshotOptions): Promise<IndexSnapshot>
}

interface PostingsDeps {
  db: Db
  follower: Pick<IndexFollower, 'open'>
  maxBytes: () => number
  /** Called for a segment with damaged postings. */
  onDamage: (segment: Segment) => void
  /** Called for posts whose segments are gone. */
  onLost: (lost: LostPosts) => void
  now: () => Date
  /** Postings decoded before the event loop goes on and the time is looked at. Default: 500,000, some 3 ms. */
  postingsPerPause?: number
}

/** The inverted index, with the lists used last in memory. Segments never change, so that a list is right for ever. */
export function createPostings(deps: PostingsDeps): Postings {
  const { db, follower, onDamage, now, postingsPerPause = 500_000 } = deps
  const report = reportOnce(onDamage)
  const reportLost = reportLostOnce(deps.onLost)
  const load = createStoredLists({ ...deps, onDamage: report })
  const acquireMemory = createListPool()
  const positionBatches = createBatchSizer(usualMsOfPosting)
  const merge = createListMerge()
  const weightsFor = createWeights()
  return {
    open: async ({ narrow, deadline } = {}) => {
      const { isStale, whole, state, close } = await openNarrowed(follower, deadline, narrow)
      const { table, recent, lost } = state
      reportLost(lost)
      const pacing = createPacing({ deadline, postingsPerPause })
      const memory = acquireMemory(pooledBytesOf(table))
      const reading = { weights: weightsFor(table.meanLength), memory, load, pacing }
      const decoding = createDecoding({ state, ...reading })
      const lists = createTermLists(decoding)
      const ofPositions = readingOfPositions({ pieces: positionBatches, memory }, pacing, decoding)
      const frequencies = createFrequencies(lists, decoding, { ...state, pacing })
      const ofAll = state === whole ? decoding : createDecoding({ state: whole, ...reading })
      let hasNoPositions = false
      let hasWords = true
      return {
        state,
        lists,
        rarestLists: async (terms, maxPostings) => lists(await rarestTerms(db, state.segments, terms, maxPostings)),
        pacing,
        merged: lists => mergedIn(pacing, lists, merge),
        ...frequencies,
        missWords() {
          // Those of posts that wait come with their segment. Posts of stop words alone have none.
          hasWords = state.segments.every(({ bytes }) => bytes === 0)
        },
        whole: state === whole ? frequencies : createFrequencies(createTermLists(ofAll), ofAll, { ...whole, pacing }),
        ...statisticsOf(state, now),
        async positions(terms) {
          const lists = await memory.use(() => ofPositions.read(db, state, terms))
          hasNoPositions ||= !lists.isWhole || lists.damaged.length > 0
          for (const segment of lists.damaged) report(segment)
          return lists
        },
        isCutShort: pacing.isCutShort,
        close: () => {
          memory.release()
          close()
        },
        isComplete: () =>
          isStale !== true &&
          !hasNoPositions &&
          hasWords &&
          lost.count === 0 &&
          !decoding.isDamaged() &&
          !pacing.isCutShort() &&
          table.waitingCount <= recent.size
      }
    }
  }
}

const statisticsOf = ({ table, seconds, readAtMs }: IndexState, now: () => Date): IndexStatistics => ({
  postCount: table.count,
  publishedSeconds: table.publishedSeconds,
  nowSeconds: seconds + Math.floor((now().getTime() - readAtMs) / 1000)
})

async function openNarrowed(
  follower: Pick<IndexFollower, 'open'>,
  deadline: SnapshotOptions['deadline'],
  narrow: Narrow | undefined
) {
  const {
    state: { isStale, ...whole },
    close
  } = await follower.open(deadline)
  try {
    const state: IndexState = narrow === undefined ? whole : { ...whole, table: await narrow(whole.table) }
    return { isStale, whole, state, close }
  } catch (error) {
    close()
    throw error
  }
}

/** Of each state of the index once. */
function reportLostOnce(onLost: PostingsDeps['onLost']): PostingsDeps['onLost'] {
  const reported = new WeakSet<LostPosts>()
  return lost => {
    if (lost.count > 0 && !reported.has(lost)) onLost(lost)
    reported.add(lost)
  }
}

async function mergedIn(
  pacing: Pacing,
  lists: readonly [PostingList, ...PostingList[]],
  merge: ReturnType<typeof createListMerge>
): Promise<PostingList> {
  if (lists.length === 1) return lists[0]
  if (!pacing.hasTime()) return longestOf(lists)
  const list = merge(lists)
  await pacing.spend(postingsIn(lists))
  return list
}

/** Each segment once, but those that are known to be damaged. */
function reportOnce(onDamage: PostingsDeps['onDamage']): PostingsDeps['onDamage'] {
  const reported = new Set<number>()
  return segment => {
    if (segment.is_damaged || reported.has(segment.segment_id)) return
    reported.add(segment.segment_id)
    onDamage(segment)
  }
}

const countsOf = (lists: ReadonlyMap<string, PostingList>) =>
  new Map(Array.from(lists, ([term, { postNos }]) => [term, postNos.length]))

/** The weights of the mean length that was asked for last. */
function createWeights(): (meanLength: number) => Weights {
  let weights: { meanLength: number; values: Weights } | undefined
  return meanLength => {
    if (weights?.meanLength !== meanLength) weights = { meanLength, values: weightsOf(meanLength) }
    return weights.values
  }
}

const longestOf = (lists: readonly [PostingList, ...PostingList[]]) =>
  lists.reduce((longest, list) => (list.postNos.length > longest.postNos.length ? list : longest))

const postingsIn = (lists: readonly PostingList[]) => lists.reduce((sum, { postNos }) => sum + postNos.length, 0)

/** Of decoded lists: those of ten words, three of them common. What does not fit is garbage at each search. */
const pooledBytesOf = ({ publishedSeconds }: PostTable) => Math.max(8_000_000, 32 * publishedSeconds.length)

/** Lists of terms, each decoded once. */
const createTermLists =
  ({ decoded, decode }: Pick<ReturnType<typeof createDecoding>, 'decoded' | 'decode'>) =>
  async (terms: readonly string[]): Promise<Map<string, PostingList>> => {
    const wanted = [...new Set(terms)]
    const missing = wanted.filter(term => !decoded.has(term))
    if (missing.length > 0) await decode(missing)
    const found = wanted.map(term => [term, decoded.get(term)] as const)
    return new Map(found.flatMap(([term, list]) => (list && isOfPosts(list) ? [[term, list]] : [])))
  }

const createFrequencies = (
  lists: IndexSnapshot['lists'],
  decoding: ReturnType<typeof createDecoding>,
  languages: LanguagesCheck
): Pick<IndexSnapshot, 'frequencies' | 'isIn'> => ({
  frequencies: async terms => countsOf(await lists(terms)),
  isIn: languagesCheckOf(decoding, languages)
})

interface LanguagesCheck {
  table: PostTable
  pacing: Pick<Pacing, 'spend'>
}

/** Of terms that were decoded. A list may be long: what it said is remembered. */
function languagesCheckOf(
  { decoded }: Pick<ReturnType<typeof createDecoding>, 'decoded'>,
  { table: { languageCodes }, pacing }: LanguagesCheck
): IndexSnapshot['isIn'] {
  const answers = new Map<string, boolean>()
  return async (term, languages) => {
    const list = decoded.get(term)
    const flags = flagsOf(languages)
    if (list === undefined || list === unreadList || flags === undefined) return list !== undefined
    const key = `${term} ${languages.join(' ')}`
    const answer = answers.get(key)
    if (answer !== undefined) return answer
    const { postNos } = list
    const at = postNos.findIndex(post => flags[languageCodes[post] ?? 0] === 1)
    answers.set(key, at !== -1)
    await pacing.spend(at === -1 ? postNos.length : at)
    return at !== -1
  }
}

/** What there was no time for may be in posts: it is no word that none has. */
const isOfPosts = (list: PostingList) => list.postNos.length > 0 || list === unreadList

/** What positions take before any were read; what a statement takes beside them counts as so many. */
const usualMsOfPosting = 0.000_2
const minPostings = 5_000

/** Positions of more are not read for one search: they would take 20 MB and more. */
const maxPositionPostings = 4_000_000

/** As many of the terms, from the first on, as have so many postings together. */
function withinPostings(terms: readonly string[], max: number, countOf: (term: string) => number): string[] {
  let postings = 0
  return terms.filter(term => {
    postings += countOf(term)
    return postings <= max
  })
}

/** The first statement reads so many terms at least: none alone is a phrase. */
const minTerms = 2

function readingOfPositions(
  { pieces, memory }: { pieces: BatchSizer; memory: ListMemory },
  { hasTimeToRead, statementMs }: Pick<Pacing, 'hasTimeToRead' | 'statementMs'>,
  { decoded, stored }: Pick<ReturnType<typeof createDecoding>, 'decoded' | 'stored'>
) {
  const countOf = (term: string) => decoded.get(term)?.postNos.length ?? 0
  const postingsOf = (terms: readonly string[]) => terms.reduce((sum, term) => sum + countOf(term), minPostings)
  const reading: PositionReading = {
    hasTimeToRead,
    memory,
    stored,
    countOf: terms => Math.max(minTerms, withinPostings(terms, pieces.size(statementMs()), countOf).length),
    measure: (terms, read) => pieces.measure(postingsOf(terms), read)
  }
  return {
    async read(db: Db, state: IndexState, terms: readonly string[]): Promise<PositionLists> {
      // No post is known to have the others.
      const held = terms.filter(term => countOf(term) > 0)
      const read = withinPostings(held, maxPositionPostings, countOf)
      const lists = await readPositionLists(db, state, read, reading)
      return { ...lists, isWhole: lists.isWhole && read.length === held.length }
    }
  }
}
