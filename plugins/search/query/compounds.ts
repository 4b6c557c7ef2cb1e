import { type Changes, createCache, type Db } from '#core'
import { minPartLength, possibleParts, splitCompound, type TextLanguage, writesCompounds } from '#text'
import { listCompounds, listPartsAmong } from '../repository/words.ts'
import { analyzeIn, type Token, vocabularyTags, withTerms } from './analyzer.ts'
import { tokensOfPosts } from './known-words.ts'
import type { TermFrequencies } from './spelling.ts'
import { foundTerms, noteMissing } from './word-table.ts'

/** Finds what words of a query stand for in languages that write compounds as one word. */
export interface Compounds {
  /**
   * What may stand in place of each of these words: the compounds that it begins or ends, as one token; or, where no post has it, the
   * words that it is made of. Words without a substitute are left out.
   */
  substitutesOf(tokens: readonly Token[], context: CompoundContext): Promise<Map<Token, readonly Token[]>>
}

interface CompoundContext {
  /** Which words posts have. */
  index: TermFrequencies
  languages: readonly TextLanguage[]
}

const maxCached = 5000
/** Of one word: each term costs a posting list. */
const maxCompounds = 24
/** Words of a query that are looked up; a question of more says enough by them. */
const maxLookedUp = 8

export function createCompounds({ db, changes }: { db: Db; changes: Changes }): Compounds {
  const cache = { changes, tags: vocabularyTags, maxEntries: () => maxCached }
  const compounds = createCache<readonly string[]>(cache)
  const parts = createCache<readonly string[]>(cache)
  return {
    substitutesOf: async (tokens, { index, languages: all }) => {
      const languages = all.filter(writesCompounds)
      if (languages.length === 0) return new Map()
      const looked = tokens.slice(0, maxLookedUp)
      const having = await tokensHaving(looked, index)
      const known = await tokensOfPosts(looked, index)
      const unknown = looked.filter(token => !having.has(token) && !known.has(token))
      return new Map([...having, ...(await tokensOf(unknown, languages, all.length))])
    }
  }

  async function tokensHaving(tokens: readonly Token[], index: TermFrequencies): Promise<Map<Token, Token[]>> {
    const found = await compounds.loadMany(tokens.flatMap(formsOf), async forms =>
      foundTerms(forms, await listCompounds(db, forms, maxCompounds))
    )
    noteMissing(index, found)
    const entries = tokens.map((token): [Token, string[]] => {
      const terms = new Set(formsOf(token).flatMap(form => found.get(form) ?? []))
      return [token, [...terms].filter(term => !token.terms.includes(term)).slice(0, maxCompounds)]
    })
    return new Map(
      entries.flatMap(([token, terms]) => (terms.length === 0 ? [] : [[token, [withTerms(token, terms)]]]))
    )
  }

  async function tokensOf(
    tokens: readonly Token[],
    languages: readonly TextLanguage[],
    languageCount: number
  ): Promise<Map<Token, Token[]>> {
    const found = await parts.loadMany(
      tokens.map(({ word }) => word),
      async words => {
        const known = new Set(await listPartsAmong(db, words.flatMap(possibleParts)))
        return new Map(words.map(word => [word, splitCompound(word, part => known.has(part))]))
      }
    )
    const entries = tokens.map((token): [Token, Token[]] => [
      token,
      (found.get(token.word) ?? []).flatMap(part => analyzeIn(languages, part, languageCount))
    ])
    return new Map(entries.filter(([, of]) => of.length > 0))
  }
}

/** A word and its stems: `Versicherungen` ends no word that `Versicherung` does. */
const formsOf = ({ word, terms }: Token): string[] =>
  [...new Set([word, ...terms])].filter(form => form.length >= minPartLength)
