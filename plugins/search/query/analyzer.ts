import { type Changes, createCache, type Db } from '#core'
import { postsCacheTag } from '#plugins/posts'
import { languagesCacheTag, vocabularyCacheTag } from '../cache-tags.ts'
import { listLanguages } from '../repository/languages.ts'
import { listLexemes } from '../repository/words.ts'

/** One word of a text. */
export interface Token {
  /** The terms it may stand as in the index; a stop word has none. */
  readonly terms: readonly string[]
  /** In lower case. */
  readonly word: string
}

/** Turns texts into tokens as the index does. */
export interface Analyzer {
  /** Those that posts are indexed in. */
  languages(): Promise<readonly string[]>
  /** The tokens of each text, in order. */
  analyze(texts: readonly string[], languages: readonly string[]): Promise<Token[][]>
}

/** What the vocabulary and its languages depend on. */
export const indexCacheTags = [postsCacheTag, languagesCacheTag, vocabularyCacheTag] as const

const maxTexts = 5000

export function createAnalyzer({ db, changes }: { db: Db; changes: Changes }): Analyzer {
  const languages = createCache<readonly string[]>({ changes, tags: indexCacheTags })
  // The same text has the same tokens for ever.
  const tokens = createCache<Token[]>({ maxEntries: () => maxTexts })
  return {
    languages: () => languages.load('', () => listLanguages(db)),
    analyze: async (texts, of) => {
      const prefix = `${of.join()} `
      const found = await tokens.loadMany(
        texts.map(text => prefix + text),
        async missing => {
          const read = await readTokens(
            db,
            missing.map(key => key.slice(prefix.length)),
            of
          )
          return new Map(missing.map((key, at) => [key, read[at] ?? []]))
        }
      )
      return texts.map(text => found.get(prefix + text) ?? [])
    }
  }
}

async function readTokens(db: Db, texts: readonly string[], languages: readonly string[]): Promise<Token[][]> {
  const rows = await listLexemes(db, texts, [...new Set([...languages, 'simple'])])
  const byText = texts.map(() => new Map<number, { terms: Set<string>; word: string }>())
  for (const { text_no, language, lexeme, position } of rows) {
    const ofText = byText[text_no - 1]
    const token = ofText?.get(position) ?? { terms: new Set<string>(), word: lexeme }
    ofText?.set(position, token)
    if (languages.includes(language)) token.terms.add(lexeme)
    if (language === 'simple') token.word = lexeme
  }
  return byText.map(ofText =>
    [...ofText].sort(([a], [b]) => a - b).map(([, { terms, word }]) => ({ terms: [...terms], word }))
  )
}
