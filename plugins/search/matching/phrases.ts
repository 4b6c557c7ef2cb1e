import { setImmediate } from 'node:timers/promises'
import type { Db } from '#core'
import type { Deadline } from '../deadline.ts'
import { shownBody } from '../inverted-index/text-fields.ts'
import type { Phrase } from '../query/phrase.ts'
import { listPhraseTexts } from '../repository/texts.ts'
import type { PositionLists } from '../snapshot/phrase-positions.ts'
import type { IndexSnapshot } from '../snapshot/postings.ts'

/** Verifies which posts have which phrases of a query, word for word. */
export interface PhraseCheck {
  /** Verifies these posts, until it is enough or the time is up. */
  verify(posts: Int32Array, isEnough: () => boolean): Promise<void>
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

export function createPhraseCheck({ db, index, phrases, hasPhrase, deadline }: PhraseCheckDeps): PhraseCheck {
  const verified = createVerified(phrases.length === 0 ? 0 : index.publishedSeconds.length)
  let isTimedOut = false
  let positions: PositionLists | undefined
  const locate = async (posts: Int32Array) => {
    const terms = phrases.flatMap(({ words }) => words.flatMap(word => word.terms.map(({ term }) => term)))
    positions ??= await index.positions([...new Set(terms)])
    return positions.locate(posts, setImmediate)
  }
  const codeOf = (post: number) => index.state.table.languageCodes[post] ?? 0
  const hasStopWords = (phrase: Phrase | undefined, post: number) => phrase?.stopWordsIn?.[codeOf(post)] === 1
  const isInDoubt = (post: number, found: ReadonlySet<number>) =>
    found.size > 0 && [...found].some(at => hasStopWords(phrases[at], post))
  /** Of those that have the other words of a phrase where they belong, which have its stop words. */
  const byTexts = async (posts: ReadonlyMap<number, ReadonlySet<number>>) => {
    for (const { post_no, ...post } of await listPhraseTexts(db, [...posts.keys()], { signal: deadline.signal })) {
      const texts = [post.title, post.excerpt, shownBody(post)]
      const found = new Set(posts.get(post_no))
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
  const verifyPass = async (posts: Int32Array, matchers: readonly PhraseMatcher[], isEnough: () => boolean) => {
    const doubtful: [number, ReadonlySet<number>][] = []
    for (const post of posts) {
      const found = phrasesIn(post, matchers)
      if (isInDoubt(post, found)) doubtful.push([post, found])
      else verified.add(post, found)
    }
    await setImmediate()
    isTimedOut ||= deadline.signal.aborted
    for (let from = 0; from < doubtful.length && !isEnough() && hasTime(); from += textsPerStatement)
      await byTexts(new Map(doubtful.slice(from, from + textsPerStatement)))
  }
  return {
    phrasesOf: verified.phrasesOf,
    isTimedOut: () => isTimedOut,
    async verify(posts, isEnough) {
      const waiting = verified.isEmpty() ? posts : posts.filter(post => verified.phrasesOf(post) === undefined)
      if (phrases.length === 0 || waiting.length === 0) return
      const located = await locate(waiting)
      const matchers = phrases.map(({ words }) => located.matcherOf(words))
      for (let from = 0; from < waiting.length && !isEnough() && hasTime(); from += postsPerPass)
        await verifyPass(waiting.subarray(from, from + postsPerPass), matchers, isEnough)
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

type PhraseMatcher = (post: number) => boolean

/** Most posts have none: no set is made for them. */
const none: ReadonlySet<number> = new Set()

function phrasesIn(post: number, matchers: readonly PhraseMatcher[]): ReadonlySet<number> {
  let found: Set<number> | undefined
  for (let phrase = 0; phrase < matchers.length; phrase++)
    if (matchers[phrase]?.(post) === true) found = (found ?? new Set<number>()).add(phrase)
  return found ?? none
}
