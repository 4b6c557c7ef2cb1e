import { setImmediate } from 'node:timers/promises'
import type { Db } from '#core'
import type { Deadline } from '../deadline.ts'
import { bestFirst, filter, type Hits } from '../inverted-index/hits.ts'
import { shownBody } from '../inverted-index/text-fields.ts'
import type { Phrase } from '../query/phrase.ts'
import { listPhraseTexts } from '../repository/texts.ts'
import type { PositionLists } from '../snapshot/phrase-positions.ts'
import type { IndexSnapshot } from '../snapshot/postings.ts'

/** Verifies which posts have which phrases of a query, word for word. */
export interface PhraseCheck {
  /** Reads the positions that `verify` compares. Without it, `verify` reads them. */
  readAhead(): Promise<void>
  /** Verifies these posts, until the time is up. Texts are read of the best first, until it is enough. */
  verify(hits: Hits, isEnough: () => boolean): Promise<void>
  /** The phrases a post has, by their index among those asked for; undefined when it was not verified. */
  phrasesOf(post: number): ReadonlySet<number> | undefined
  /** Posts were left out because the time was up. */
  isTimedOut(): boolean
}

interface PhraseCheckDeps {
  db: Db
  index: Pick<IndexSnapshot, 'positions' | 'publishedSeconds' | 'state'>
  phrases: readonly Phrase[]
  /** Whether a text has a phrase word for word. */
  hasPhrase: (text: string, phrase: Phrase, languageCode: number) => boolean
  deadline: Deadline
}

/** Posts whose positions are compared before the time is looked at. */
const postsPerPass = 2_000
/** Texts read by one statement to look for stop words. */
const textsPerStatement = 20
/** Texts are read in the order of the posts up to here, should there be no time for all. */
const orderedCount = 10_000

export function createPhraseCheck({ db, index, phrases, hasPhrase, deadline }: PhraseCheckDeps): PhraseCheck {
  const verified = createVerified(phrases.length === 0 ? 0 : index.publishedSeconds.length)
  let isTimedOut = false
  let positions: PositionLists | undefined
  const readPositions = async () => {
    const terms = phrases.flatMap(({ words }) => words.flatMap(word => word.terms.map(({ term }) => term)))
    positions ??= await index.positions([...new Set(terms)])
    return positions
  }
  const codeOf = (post: number) => index.state.table.languageCodes[post] ?? 0
  const hasStopWords = (phrase: Phrase | undefined, post: number) => phrase?.stopWordsIn?.[codeOf(post)] === 1
  const isInDoubt = (post: number, found: ReadonlySet<number>) =>
    found.size > 0 && [...found].some(at => hasStopWords(phrases[at], post))
  /** Of those that have the other words of a phrase where they belong, which have its stop words. */
  const byTexts = async (posts: Int32Array, matchers: readonly PhraseMatcher[]) => {
    for (const { post_no, ...post } of await listPhraseTexts(db, [...posts], { signal: deadline.signal })) {
      const texts = [post.title, post.excerpt, shownBody(post)]
      const found = new Set(phrasesIn(post_no, matchers))
      for (const at of found) {
        const phrase = phrases[at]
        if (phrase === undefined || !hasStopWords(phrase, post_no)) continue
        if (!texts.some(text => hasPhrase(text, phrase, codeOf(post_no)))) found.delete(at)
      }
      verified.add(post_no, found)
      await setImmediate()
    }
  }
  /** However late it is, the reader gets to see something. */
  const hasTime = () => {
    isTimedOut ||= deadline.hasPassed() && !verified.isEmpty()
    return !isTimedOut
  }
  const unverifiedOf = (hits: Hits) => filter(hits, post => verified.phrasesOf(post) === undefined)
  /** In the order of the lists, so that their positions are read from the first to the last. Texts decide about those it leaves. */
  const byPositions = async (posts: Int32Array, matchers: readonly PhraseMatcher[]) => {
    for (let from = 0; from < posts.length && hasTime(); from += postsPerPass) {
      for (const post of posts.subarray(from, from + postsPerPass)) {
        const found = phrasesIn(post, matchers)
        if (!isInDoubt(post, found)) verified.add(post, found)
      }
      await setImmediate()
      isTimedOut ||= deadline.signal.aborted
    }
  }
  return {
    async readAhead() {
      await readPositions()
    },
    phrasesOf: verified.phrasesOf,
    isTimedOut: () => isTimedOut,
    async verify(hits, isEnough) {
      const waiting = verified.isEmpty() ? hits : unverifiedOf(hits)
      if (phrases.length === 0 || waiting.postNos.length === 0) return
      const located = await (await readPositions()).locate(waiting.postNos, setImmediate)
      const matchers = phrases.map(({ words }, at) => ({ has: located.matcherOf(words), alone: new Set([at]) }))
      await byPositions(waiting.postNos, matchers)
      const doubtful = bestFirst(unverifiedOf(waiting), orderedCount)
      for (let from = 0; from < doubtful.length && !isEnough() && hasTime(); from += textsPerStatement)
        await byTexts(doubtful.subarray(from, from + textsPerStatement), matchers)
    }
  }
}

/** What is known of a post, in two bits. */
const unverified = 0
const withoutPhrase = 1
const withPhrases = 2

/** The posts that were verified, by number, below `size`, and their phrases. Tens of thousands for one query: four to a byte. */
function createVerified(size: number) {
  const states = new Uint8Array(Math.ceil(size / 4))
  const phrases = new Map<number, ReadonlySet<number>>()
  let isEmpty = true
  return {
    isEmpty: () => isEmpty,
    /** Once for each. */
    add(post: number, found: ReadonlySet<number>): void {
      const state = found.size > 0 ? withPhrases : withoutPhrase
      states[post >> 2] = (states[post >> 2] ?? 0) | (state << (2 * (post & 3)))
      isEmpty = false
      if (found.size > 0) phrases.set(post, found)
    },
    phrasesOf(post: number): ReadonlySet<number> | undefined {
      const state = ((states[post >> 2] ?? 0) >> (2 * (post & 3))) & 3
      if (state === unverified) return undefined
      return state === withoutPhrase ? none : phrases.get(post)
    }
  }
}

interface PhraseMatcher {
  has(post: number): boolean
  /** This phrase alone: thousands of posts share it. */
  alone: ReadonlySet<number>
}

/** Most posts have none: no set is made for them. */
const none: ReadonlySet<number> = new Set()

function phrasesIn(post: number, matchers: readonly PhraseMatcher[]): ReadonlySet<number> {
  let found = none
  for (let phrase = 0; phrase < matchers.length; phrase++) {
    const matcher = matchers[phrase]
    if (matcher?.has(post) === true) found = found === none ? matcher.alone : new Set([...found, phrase])
  }
  return found
}
