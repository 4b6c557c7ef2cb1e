import type { Db } from '#core'
import type { Deadline } from '../deadline.ts'
import { listWithPhrases, type Phrase } from '../repository/phrases.ts'

/** Verifies which posts have which phrases of a query, word for word. */
export interface PhraseCheck {
  /** Verifies these posts in their order, until it is enough or the time is up. */
  verify(posts: ArrayLike<number>, isEnough: () => boolean): Promise<void>
  /** The phrases a post has, by their index among those asked for; undefined when it was not verified. */
  phrasesOf(post: number): ReadonlySet<number> | undefined
  /** Posts were left out because the time was up. */
  isTimedOut(): boolean
}

export interface PhraseCheckDeps {
  db: Db
  phrases: readonly Phrase[]
  languages: readonly string[]
  deadline: Deadline
}

const maxPostsPerStatement = 200
/** Text that one statement reads for one phrase with stop words: some 50 ms. */
const maxBytesPerStatement = 2_000_000

/** All phrases in one statement, and no statement that takes long: none can be cancelled in the embedded database. */
export function createPhraseCheck({ db, phrases, languages, deadline }: PhraseCheckDeps): PhraseCheck {
  const verified = new Map<number, ReadonlySet<number>>()
  const withStopWords = phrases.filter(({ hasStopWords }) => hasStopWords).length
  const maxTextBytes = withStopWords === 0 ? Number.MAX_SAFE_INTEGER : Math.floor(maxBytesPerStatement / withStopWords)
  let isTimedOut = false
  const verifySome = async (posts: readonly number[]) => {
    const rows = await listWithPhrases(db, { posts, phrases, languages, maxTextBytes }, { signal: deadline.signal })
    for (const { post_no, found } of rows) verified.set(post_no, new Set(found.map(phrase_no => phrase_no - 1)))
    // The first of them that is still there always has a row.
    if (rows.length === 0) for (const post of posts) verified.set(post, new Set())
  }
  return {
    phrasesOf: post => verified.get(post),
    isTimedOut: () => isTimedOut,
    async verify(posts, isEnough) {
      if (phrases.length === 0) return
      let waiting = Array.from(posts).filter(post => !verified.has(post))
      while (waiting.length > 0 && !isEnough()) {
        // However late it is, the reader gets to see something.
        isTimedOut = deadline.hasPassed() && verified.size > 0
        if (isTimedOut) return
        await verifySome(waiting.slice(0, maxPostsPerStatement))
        waiting = waiting.filter(post => !verified.has(post))
      }
    }
  }
}
