import type { Db } from '#core'
import type { Deadline } from './deadline.ts'
import { listWithPhrases, type Phrase } from './repository/search.ts'

/** Tells which posts have which phrases of a query, word for word. */
export interface PhraseCheck {
  /** Looks at these posts in their order, until it is enough or the time is up. */
  look(posts: ArrayLike<number>, isEnough: () => boolean): Promise<void>
  /** The phrases a post has, by their place among those asked for; undefined when it was not looked at. */
  of(post: number): ReadonlySet<number> | undefined
  /** Posts were left out because the time was up. */
  isCutShort(): boolean
}

export interface PhraseCheckDeps {
  db: Db
  phrases: readonly Phrase[]
  languages: readonly string[]
  deadline: Deadline
}

/** Posts of one statement at most. */
const postsAtOnce = 200
/** Text of one statement that is read for phrases with words the index does not have, times the number of those: some 50 ms. */
const textAtOnce = 2_000_000

/** All phrases in one statement, and no statement that takes long: none can be cancelled in the embedded database. */
export function createPhraseCheck({ db, phrases, languages, deadline }: PhraseCheckDeps): PhraseCheck {
  const known = new Map<number, ReadonlySet<number>>()
  const idle = phrases.filter(({ hasIdleWords }) => hasIdleWords).length
  const mostText = idle === 0 ? Number.MAX_SAFE_INTEGER : Math.floor(textAtOnce / idle)
  let isCutShort = false
  const lookAtSome = async (posts: readonly number[]) => {
    const rows = await listWithPhrases(db, { posts, phrases, languages, mostText }, { signal: deadline.signal })
    for (const { post_no, found } of rows) known.set(post_no, new Set(found.map(phrase_no => phrase_no - 1)))
    // The first of them that is still there is always looked at.
    if (rows.length === 0) for (const post of posts) known.set(post, new Set())
  }
  return {
    of: post => known.get(post),
    isCutShort: () => isCutShort,
    async look(posts, isEnough) {
      if (phrases.length === 0) return
      let waiting = Array.from(posts).filter(post => !known.has(post))
      while (waiting.length > 0 && !isEnough()) {
        // However late it is, somebody who asks gets to see something.
        isCutShort = deadline.isOver() && known.size > 0
        if (isCutShort) return
        await lookAtSome(waiting.slice(0, postsAtOnce))
        waiting = waiting.filter(post => !known.has(post))
      }
    }
  }
}
