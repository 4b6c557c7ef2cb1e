import { type Changes, createCache, type Db, type Log } from '#core'
import { restoreCacheTag } from '../cache-tags.ts'
import { wordsOfTitle } from '../inverted-index/text-fields.ts'
import {
  listChangedSince,
  listPublishedBefore,
  listPublishedTitles,
  type VersionedPostRow
} from '../repository/suggestions.ts'
import { indexTags } from '../snapshot/index-state.ts'
import { createTitleWords, type TitleWords } from './title-words.ts'

/** What a process knows of titles. */
interface TitlesState {
  readonly words: TitleWords
  /** False while the older ones are still read, in the background. */
  isComplete: boolean
  /** Older posts than this are not among them: there are too many. A rebuild of the index writes to all. */
  oldest: number
  /** Transactions from this one on may have written what is unknown here. */
  horizon: string
}

export interface FollowedTitles {
  /** The present state. Reads only what changed since it was asked for last. */
  state(): Promise<TitlesState>
  /** Reads no more pages of older titles. Resolves when nothing is being read. */
  close(): Promise<void>
}

/** 50 MB. Of a larger archive the newest titles are suggested. */
const maxTitles = 100_000
/** Read between two turns of the event loop: some 10 ms. */
const titlesPerPage = 1000
/** Whatever their number was before. */
const afterAll = 2_147_483_647

/** The words of titles in memory, read at the first suggestion. They may be old: which posts are public is asked with each answer. */
export function followTitles({ db, changes, log }: { db: Db; changes: Changes; log: Log }): FollowedTitles {
  const cache = createCache<TitlesState>({ changes, tags: indexTags })
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  const track = <T>(work: Promise<T>): Promise<T> => {
    running.add(work)
    const done = () => running.delete(work)
    work.then(done, done)
    return work
  }
  let last: TitlesState | undefined
  changes.on(restoreCacheTag, () => {
    last = undefined
  })
  const begin = async (): Promise<TitlesState> => {
    const { posts, horizon } = await listPublishedBefore(db, afterAll, titlesPerPage)
    const state = { words: createTitleWords(), isComplete: posts.length < titlesPerPage, oldest: 0, horizon }
    await setTitles(db, state.words, posts)
    last = state
    if (!state.isComplete)
      void track(
        readOlder(db, state, posts, closing.signal).catch(error => {
          log.error({ err: error }, 'titles for suggestions could not be read')
          if (last === state) last = undefined
        })
      )
    return state
  }
  const follow = async (state: TitlesState): Promise<TitlesState> => {
    const { posts, horizon } = await listChangedSince(db, state.horizon, state.oldest)
    await setTitles(db, state.words, posts)
    state.horizon = horizon
    return state
  }
  return {
    state: () => cache.load('', () => track(last === undefined ? begin() : follow(last))),
    close: async () => {
      closing.abort()
      while (running.size > 0) await Promise.allSettled(running)
    }
  }
}

async function readOlder(
  db: Db,
  state: TitlesState,
  first: readonly VersionedPostRow[],
  signal: AbortSignal
): Promise<void> {
  let page = first
  while (page.length === titlesPerPage && state.words.size < maxTitles) {
    if (signal.aborted) return
    page = (await listPublishedBefore(db, page.at(-1)?.post_no ?? 0, titlesPerPage)).posts
    await setTitles(db, state.words, page)
  }
  if (page.length === titlesPerPage) state.oldest = page.at(-1)?.post_no ?? 0
  state.isComplete = true
}

/** Takes over what differs. */
async function setTitles(db: Db, words: TitleWords, posts: readonly VersionedPostRow[]): Promise<void> {
  const differing = new Map<number, { published: number; textVersion: number }>()
  for (const { post_no, published, text_version } of posts) {
    const known = words.versionOf(post_no)
    if (published === null) words.remove(post_no)
    else if (known?.published !== published || known.textVersion !== text_version)
      differing.set(post_no, { published, textVersion: text_version })
  }
  if (differing.size === 0) return
  const titles = await listPublishedTitles(db, [...differing.keys()])
  words.set(
    titles.flatMap(({ post_no, title }) => {
      const version = differing.get(post_no)
      return version === undefined ? [] : [{ post_no, ...version, words: wordsOfTitle(title) }]
    })
  )
}
