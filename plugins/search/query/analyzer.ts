import { postsCacheTag } from '#plugins/posts'
import { type AnalyzedToken, analyze, type TextLanguage } from '#text'
import { languagesCacheTag, vocabularyCacheTag } from '../cache-tags.ts'

/** One word of a query. */
export interface Token extends Pick<AnalyzedToken, 'word' | 'position' | 'span'> {
  /** The terms it may stand as in the index; a stop word has none. */
  readonly terms: readonly string[]
}

/** What the vocabulary and its languages depend on. */
export const vocabularyTags = [postsCacheTag, languagesCacheTag, vocabularyCacheTag] as const

/** The tokens of a text in all of these languages, in their order. */
export function analyzeIn(languages: readonly TextLanguage[], text: string): Token[] {
  const tokens = new Map<string, Token & { terms: string[] }>()
  for (const language of languages)
    for (const { term, word, position, span } of analyze(text, language)) {
      const key = `${position} ${span}`
      const token = tokens.get(key) ?? { terms: [], word, position, span }
      if (term !== '' && !token.terms.includes(term)) token.terms.push(term)
      tokens.set(key, token)
    }
  return [...tokens.values()].sort((a, b) => a.position - b.position || a.span - b.span)
}
