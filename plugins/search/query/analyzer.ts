import { postsCacheTag } from '#plugins/posts'
import { type AnalyzedToken, analyze, type TextLanguage } from '#text'
import { languagesCacheTag, vocabularyCacheTag } from '../cache-tags.ts'

/** One word of a query, as several languages read it. */
export interface Token extends Pick<AnalyzedToken, 'word' | 'position' | 'span'> {
  /** The terms it may stand as in the index; a stop word of all languages has none. */
  readonly terms: readonly string[]
  /** The languages that read it as a term, by term. Posts in others do not match by it. A term that is not there is of all. */
  readonly languagesOf: ReadonlyMap<string, readonly TextLanguage[]>
  /** The languages in which it is a stop word, where it is a term in others. Posts in these need not have it. */
  readonly stopWordIn: readonly TextLanguage[]
  /** More words begin so than it has terms of. */
  readonly hasMore?: boolean
}

/** What the vocabulary and its languages depend on. */
export const vocabularyTags = [postsCacheTag, languagesCacheTag, vocabularyCacheTag] as const

/** A word at its place, by what the languages read it as; '' for a stop word. */
interface Readings extends Pick<AnalyzedToken, 'word' | 'position' | 'span'> {
  languagesOf: Map<string, TextLanguage[]>
}

/** The tokens of a text in these languages, in their order. Posts have `languageCount` languages: these, and maybe others. */
export function analyzeIn(
  languages: readonly TextLanguage[],
  text: string,
  languageCount: number = languages.length
): Token[] {
  const readings = new Map<string, Readings>()
  for (const language of languages)
    for (const { term, word, position, span } of analyze(text, language)) {
      const key = `${position} ${span}`
      const { languagesOf, ...others } = readings.get(key) ?? { languagesOf: new Map(), word, position, span }
      languagesOf.set(term, [...(languagesOf.get(term) ?? []), language])
      readings.set(key, { languagesOf, ...others })
    }
  const tokens = Array.from(readings.values(), each => tokenOf(each, languageCount))
  return tokens.sort((a, b) => a.position - b.position || a.span - b.span)
}

function tokenOf({ languagesOf, ...others }: Readings, languageCount: number): Token {
  const stopWordIn = languagesOf.get('') ?? []
  languagesOf.delete('')
  const terms = [...languagesOf.keys()]
  for (const [term, { length }] of languagesOf) if (length === languageCount) languagesOf.delete(term)
  return { ...others, terms, languagesOf, stopWordIn: terms.length === 0 ? [] : stopWordIn }
}

/** A token that stands for these terms, in whatever language. */
export const withTerms = (token: Token, terms: readonly string[]): Token => ({
  ...token,
  terms,
  languagesOf: new Map(),
  stopWordIn: []
})
