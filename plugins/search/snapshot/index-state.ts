import { type Changes, createCache, createSerial, type Db, withTimeout } from '#core'
import { postsCacheTag } from '#plugins/posts'
import type { TextLanguage } from '#text'
import { indexCacheTag, restoreCacheTag } from '../cache-tags.ts'
import type { Deadline } from '../deadline.ts'
import { type LostPosts, lostPosts, noneLost } from '../inverted-index/lost-posts.ts'
import {
  emptyTable,
  type IndexedPost,
  type IndexedPosts,
  notIndexed,
  notPublished,
  type PostTable,
  withColumns,
  withEntries
} from '../inverted-index/post-table.ts'
import { analyzeRecent, type RecentPosts } from '../inverted-index/recent-posts.ts'
import type { PostText } from '../inverted-index/text-fields.ts'
import { codeOf } from '../languages.ts'
import { readChangedEntries, readEntries } from '../repository/index-state.ts'
import { listSegments, type Segment } from '../repository/segments.ts'
import { listWaitingTexts } from '../repository/texts.ts'

/** What a process knows of the index: all of it from one state of the database. */
export interface IndexState {
  readonly table: PostTable
  readonly segments: readonly Segment[]
  readonly recent: RecentPosts
  /** Posts that no search finds, as their segments are gone. */
  readonly lost: LostPosts
  /** The database's clock, in seconds since 2000, and this process's at the same time. */
  readonly seconds: number
  readonly readAtMs: number
  /** Transactions from this one on may have written what is unknown here. */
  readonly horizon: string
}

/** `isStale`: something has changed since. */
export type FollowedState = IndexState & { readonly isStale?: true }

export interface IndexFollower {
  /** The present state, to be looked at once: its table follows the posts. Reads only what changed since it was asked for last. */
  state(): Promise<FollowedState>
  /** The same, or the state before where there is no time to read what changed: `isStale`. The first one is without posts. */
  stateWithin(deadline: Pick<Deadline, 'leftMs'>): Promise<FollowedState>
  /** One that stays as it is until it is closed. Without a deadline, the present one. */
  open(deadline?: Pick<Deadline, 'leftMs'>): Promise<OpenState>
}

interface OpenState {
  state: FollowedState
  close(): void
}

interface FollowerDeps {
  db: Db
  changes: Changes
  languageOf: (post: PostText) => TextLanguage
  /** Posts are searched in the index of the database: those that wait for it are analyzed here. */
  isBuiltin: () => boolean
  now: () => Date
}

export const indexTags = [postsCacheTag, indexCacheTag] as const

const postsPerPage = 50_000
/** Analyzed by one search at most: a quarter of a second. */
const maxRecentCharacters = 3_000_000

export function createIndexFollower({ db, changes, languageOf, isBuiltin, now }: FollowerDeps): IndexFollower {
  const cache = createCache<IndexState>({ changes, tags: indexTags })
  let last: IndexState | undefined
  /** The last one that losses were looked for in: not while an engine is asked. */
  let inspected: IndexState | undefined
  let restores = 0
  const readers = createReaders()
  const serially = createSerial()
  // A restored backup holds other posts under the same numbers.
  changes.on(restoreCacheTag, () => {
    last = undefined
    restores += 1
  })
  const read = async (): Promise<IndexState> => {
    const before = last
    const begun = restores
    const readAtMs = now().getTime()
    const read = before === undefined ? await readAll(db) : await readSince(db, before)
    // Read after the posts: a segment that they name is among them, and a retired one stays readable for a while.
    const segments = await listSegments(db)
    const changed = withChanged(read, readers.hasNone)
    // The memory of the table before may have changed: what fits it is the state, should the rest fail or take too long.
    if (restores === begun) last = before && { ...before, segments, ...unanalyzed(before, changed) }
    const known = { ...changed, recent: before?.recent ?? new Map() }
    const recent = isBuiltin() ? await followRecent(db, languageOf, known, readers.hasNone) : noneRecent
    const lost = isBuiltin() ? lostNow(changed, segments, before === inspected ? before : undefined) : noneLost
    const state = { ...changed, ...recent, segments, lost, readAtMs }
    if (isBuiltin()) inspected = state
    if (restores === begun) last = state
    return state
  }
  let next: Promise<IndexState> | undefined
  // One read after the other. What is asked for before the next one begins is answered by it.
  const readNext = () => {
    next ??= serially(() => {
      next = undefined
      return read()
    })
    return next
  }
  const state = (): Promise<FollowedState> => cache.load(isBuiltin() ? 'builtin' : 'engine', readNext)
  /** Before anything was read: a search that has no time to wait finds no post. */
  const unread = (): IndexState => ({
    table: emptyTable,
    segments: [],
    recent: new Map(),
    lost: noneLost,
    seconds: 0,
    readAtMs: now().getTime(),
    horizon: '0'
  })
  const stateWithin: IndexFollower['stateWithin'] = async deadline => {
    const ms = Math.max(0, deadline.leftMs(last === undefined ? 1 : followingShare))
    return await withTimeout(ms, state(), () => ({ ...(last ?? unread()), isStale: true as const }))
  }
  return {
    state,
    stateWithin,
    async open(deadline) {
      const opened = deadline === undefined ? await state() : await stateWithin(deadline)
      return { state: opened, close: readers.add(opened.table) }
    }
  }
}

/** Who reads which tables. One that nobody reads is changed in its place: most changes come between two searches. */
function createReaders() {
  const counts = new WeakMap<ArrayBufferLike, number>()
  const memoryOf = ({ generations }: PostTable) => generations.buffer
  const countOf = (table: PostTable) => counts.get(memoryOf(table)) ?? 0
  return {
    hasNone: (table: PostTable) => countOf(table) === 0,
    add(table: PostTable): () => void {
      counts.set(memoryOf(table), countOf(table) + 1)
      return () => void counts.set(memoryOf(table), countOf(table) - 1)
    }
  }
}

type HasNoReaders = (table: PostTable) => boolean

/** All posts are looked at only where other segments are there than before, or a changed one may be lost. */
function lostNow(
  { table, changed }: TableState,
  segments: readonly Segment[],
  before: Pick<IndexState, 'segments' | 'lost'> | undefined
): LostPosts {
  const isSame =
    before?.segments.length === segments.length &&
    segments.every(({ segment_id }, at) => segment_id === before.segments[at]?.segment_id)
  const isOfSegment = ({ generation }: IndexedPost) =>
    segments.some(each => each.first_generation <= generation && generation <= each.last_generation)
  const mayBeLost = (entry: IndexedPost) => entry.generation !== notIndexed && !isOfSegment(entry)
  return isSame && before.lost.count === 0 && !changed.some(mayBeLost) ? noneLost : lostPosts(table, segments)
}

/** Of the time of a search: what changed last says little beside the rest. */
const followingShare = 0.4

const noneRecent: Pick<IndexState, 'recent'> = { recent: new Map() }

interface TableState extends Pick<IndexState, 'table' | 'seconds' | 'horizon'> {
  changed: readonly IndexedPost[]
}

async function readAll(db: Db): Promise<TableState> {
  const first = await readEntries(db, -1, postsPerPage)
  let table = emptyTable
  for (let page = first; page.last !== null; page = await readEntries(db, page.last, postsPerPage))
    table = withColumns(table, page.posts, { isOwn: true })
  return { table, seconds: first.seconds, horizon: first.horizon, changed: [] }
}

/** The table is still the one before. */
async function readSince(db: Db, state: IndexState): Promise<TableState> {
  const page = await readChangedEntries(db, state.horizon)
  const changed = rowsOf(page.posts).filter(entry => differs(state, entry))
  return { table: state.table, seconds: page.seconds, horizon: page.horizon, changed }
}

function withChanged({ table, changed, ...read }: TableState, hasNoReaders: HasNoReaders): TableState {
  return { ...read, changed, table: withEntries(table, changed, { isOwn: hasNoReaders(table) }) }
}

/** The changed posts with what the database knows of them. Their texts, should they wait, are yet to be analyzed. */
function unanalyzed({ recent }: IndexState, { table, changed }: TableState): Pick<IndexState, 'table' | 'recent'> {
  const postNos = new Set(changed.map(({ postNo }) => postNo))
  return { table, recent: new Map([...recent].filter(([postNo]) => !postNos.has(postNo))) }
}

/** Also when the text has changed once more while it waits. What is the same is read again and again, and to copy the table takes milliseconds. */
const differs = ({ table, recent }: Pick<IndexState, 'table' | 'recent'>, { postNo, ...entry }: IndexedPost) =>
  table.publishedSeconds[postNo] !== entry.publishedSeconds ||
  table.generations[postNo] !== entry.generation ||
  (entry.generation === notIndexed &&
    entry.publishedSeconds !== notPublished &&
    recent.get(postNo)?.textVersion !== entry.textVersion)

const rowsOf = (posts: IndexedPosts): IndexedPost[] =>
  Array.from(posts.postNos, (postNo, at) => ({
    postNo,
    publishedSeconds: posts.publishedSeconds[at] ?? notPublished,
    generation: posts.generations[at] ?? notIndexed,
    textVersion: posts.textVersions[at] ?? 0,
    lengthCode: posts.lengthCodes[at] ?? 0,
    languageCode: posts.languageCodes[at] ?? 0
  }))

/** Analyzes the newest texts that stand in no segment, but those that were analyzed before. */
async function followRecent(
  db: Db,
  languageOf: (post: PostText) => TextLanguage,
  { table, changed, recent }: TableState & { recent: RecentPosts },
  hasNoReaders: HasNoReaders
): Promise<Pick<IndexState, 'table' | 'recent'>> {
  const versions = new Map(changed.map(({ postNo, textVersion }) => [postNo, textVersion]))
  const isSame = (postNo: number) => {
    const version = versions.get(postNo)
    return version === undefined || version === recent.get(postNo)?.textVersion
  }
  const known = table.waiting.filter(postNo => recent.has(postNo) && isSame(postNo))
  const analyzedBefore = new Map(known.flatMap(postNo => entryOf(recent, postNo)))
  const missing = table.waiting.filter(postNo => !analyzedBefore.has(postNo))
  const texts = missing.length === 0 ? [] : await listWaitingTexts(db, missing, maxRecentCharacters)
  const posts = texts.map(text => ({ ...text, analyzed_as: languageOf(text) }))
  const analyzed = await analyzeRecent(posts, codeOf)
  // The database does not know the length of a text that waits.
  const read = [...analyzedBefore].filter(([postNo]) => versions.has(postNo))
  const entries = [...read, ...analyzed].map(([postNo, { lengthCode, languageCode, textVersion }]) => ({
    postNo,
    lengthCode,
    textVersion,
    generation: notIndexed,
    publishedSeconds: table.publishedSeconds[postNo] ?? notPublished,
    languageCode
  }))
  const isOwn = hasNoReaders(table)
  return { table: withEntries(table, entries, { isOwn }), recent: new Map([...analyzedBefore, ...analyzed]) }
}

function entryOf(recent: RecentPosts, postNo: number): [number, NonNullable<ReturnType<RecentPosts['get']>>][] {
  const post = recent.get(postNo)
  return post === undefined ? [] : [[postNo, post]]
}
