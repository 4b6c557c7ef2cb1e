import type { Db } from '#core'
import { analyze } from '#text'
import type { SuggestedByEngine } from '../engine/engine-matcher.ts'
import { listSuggested } from '../repository/suggestions.ts'
import type { FollowedTitles } from './followed-titles.ts'

export interface Suggestions {
  /** Public posts whose titles have the words, the last of them as a beginning. */
  items: { title: string; slug: string }[]
  /** What the last word may become. */
  completions: string[]
  /** False in the first seconds of a process: older posts may be missing. */
  isComplete: boolean
}

/** For what a reader has typed so far: nothing before its second letter. */
export type Suggest = (q: string, limit: number) => Promise<Suggestions>

/** Words that are looked at: longer questions have found their post. */
const maxWords = 10
/** So many are looked up more: some may have been withdrawn meanwhile. */
const spare = 5
/** Longer words are addresses and noise, which nobody types. */
const maxCompletionLength = 40

interface SuggestDeps {
  db: Db
  titles: FollowedTitles
  /** Suggestions of a search engine; undefined where there is none, or it does not answer. */
  ofEngine(words: readonly string[], limit: number): Promise<SuggestedByEngine | undefined>
}

export function createSuggest({ db, titles, ofEngine }: SuggestDeps): Suggest {
  return async (q, limit) => {
    const { words, joinedTo } = typedWords(q)
    const last = words.at(-1)
    if (last === undefined || isTooShort(words)) return { items: [], completions: [], isComplete: true }
    const suggested =
      (await ofEngine(words, limit + spare)) ?? (await suggestedBy(titles, { words, joinedTo }, limit + spare))
    const { post_nos: found, completions, isBehind } = suggested
    const rows = found.length === 0 ? [] : await listSuggested(db, [...found])
    const posts = new Map(rows.map(row => [row.post_no, row]))
    const items = found.flatMap(post_no => {
      const post = posts.get(post_no)
      return post === undefined ? [] : [{ title: post.title, slug: post.slug }]
    })
    const shown = completions.filter(({ length }) => length <= maxCompletionLength).slice(0, limit)
    return { items: items.slice(0, limit), completions: shown, isComplete: !isBehind }
  }
}

/** By the titles in the memory of this process. */
async function suggestedBy(
  titles: FollowedTitles,
  { words, joinedTo }: TypedWords,
  limit: number
): Promise<SuggestedByEngine> {
  const { words: known, isComplete } = await titles.state()
  const last = words.at(-1) ?? ''
  const joined = joinedTo === undefined ? [] : known.complete(last, limit, joinedTo)
  // Titles may have the two as words of their own.
  const completions = joined.length > 0 ? joined : known.complete(last, limit)
  return { post_nos: known.find(words, limit), completions, isBehind: !isComplete }
}

interface TypedWords {
  words: readonly string[]
  /** The word that the last one is joined to by a hyphen. */
  joinedTo: string | undefined
}

const hyphenBeforeLast = /\p{Pd}[\p{L}\p{N}\p{M}]+\s*$/u

/** After an apostrophe is a word of its own: `d'école`. */
function typedWords(q: string): TypedWords {
  const tokens = analyze(q, 'simple')
  const typed = tokens.filter(({ span }) => span === 1).slice(0, maxWords)
  const [before, last] = typed.slice(-2)
  const isJoined =
    last !== undefined &&
    hyphenBeforeLast.test(q) &&
    tokens.some(({ span, position }) => span > 1 && position === last.position - 1)
  return { words: typed.map(({ word }) => word), joinedTo: isJoined ? before?.word : undefined }
}

/** One letter is the beginning of too much; a character of Chinese is a word. */
const isTooShort = (words: readonly string[]): boolean => /^[\x00-\x7f]?$/.test(words.join(''))
