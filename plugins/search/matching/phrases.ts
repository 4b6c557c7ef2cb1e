import { setImmediate } from 'node:timers/promises'
import type { Db } from '#core'
import type { Deadline } from '../deadline.ts'
import type { Phrase } from '../query/phrase.ts'
import { listPhraseTexts } from '../repository/texts.ts'
import type { LocatedPositions, PositionLists } from '../snapshot/phrase-positions.ts'
import type { IndexSnapshot } from '../snapshot/postings.ts'

/** Verifies which posts have which phrases of a query, word for word. */
export interface PhraseCheck {
  /** Verifies these posts, until it is enough or the time is up. */
  verify(posts: ArrayLike<number>, isEnough: () => boolean): Promise<void>
  /** The phrases a post has, by their index among those asked for; undefined when it was not verified. */
  phrasesOf(post: number): ReadonlySet<number> | undefined
  /** Posts were left out because the time was up. */
  isTimedOut(): boolean
}

export interface PhraseCheckDeps {
  db: Db
  index: Pick<IndexSnapshot, 'positions'>
  phrases: readonly Phrase[]
  /** Whether a text has a phrase word for word. */
  hasPhrase: (text: string, phrase: Phrase) => boolean
  deadline: Deadline
}

/** Posts whose positions are compared before the time is looked at. */
const postsPerPass = 2_000
/** Texts read by one statement to look for stop words. */
const textsPerStatement = 20

export function createPhraseCheck({ db, index, phrases, hasPhrase, deadline }: PhraseCheckDeps): PhraseCheck {
  const verified = new Map<number, Set<number>>()
  let isTimedOut = false
  let positions: PositionLists | undefined
  const locate = async (posts: readonly number[]) => {
    const terms = phrases.flatMap(({ words }) => words.flatMap(word => word.terms))
    positions ??= await index.positions([...new Set(terms)])
    return positions.locate(posts, setImmediate)
  }
  const byPositions = async (posts: readonly number[], located: LocatedPositions) => {
    const phrasesIn = (post: number) => phrases.flatMap(({ words }, at) => (located.hasPhrase(words, post) ? [at] : []))
    const found = new Map<number, Set<number>>(posts.map(post => [post, new Set(phrasesIn(post))]))
    await setImmediate()
    if (!deadline.signal.aborted) return found
    isTimedOut = true
    return new Map<number, Set<number>>()
  }
  const isInDoubt = (found: ReadonlySet<number>) => [...found].some(index => phrases[index]?.hasStopWords === true)
  /** Of those that have the other words of a phrase where they belong, which have its stop words. */
  const byTexts = async (posts: ReadonlyMap<number, Set<number>>) => {
    for (const { post_no, texts } of await listPhraseTexts(db, [...posts.keys()], { signal: deadline.signal })) {
      const found = posts.get(post_no) ?? new Set()
      for (const index of found) {
        const phrase = phrases[index]
        if (phrase?.hasStopWords === true && !texts.some(text => hasPhrase(text, phrase))) found.delete(index)
      }
      verified.set(post_no, found)
      await setImmediate()
    }
  }
  /** However late it is, the reader gets to see something. */
  const hasTime = () => {
    isTimedOut ||= deadline.hasPassed() && verified.size > 0
    return !isTimedOut
  }
  const verifyPass = async (posts: readonly number[], located: LocatedPositions, isEnough: () => boolean) => {
    const found = await byPositions(posts, located)
    for (const [post, indexes] of found) if (!isInDoubt(indexes)) verified.set(post, indexes)
    const doubtful = [...found].filter(([, indexes]) => isInDoubt(indexes))
    for (let from = 0; from < doubtful.length && !isEnough() && hasTime(); from += textsPerStatement)
      await byTexts(new Map(doubtful.slice(from, from + textsPerStatement)))
  }
  return {
    phrasesOf: post => verified.get(post),
    isTimedOut: () => isTimedOut,
    async verify(posts, isEnough) {
      const waiting = Array.from(posts).filter(post => !verified.has(post))
      if (phrases.length === 0 || waiting.length === 0) return
      const located = await locate(waiting)
      for (let from = 0; from < waiting.length && !isEnough() && hasTime(); from += postsPerPass)
        await verifyPass(waiting.slice(from, from + postsPerPass), located, isEnough)
    }
  }
}
