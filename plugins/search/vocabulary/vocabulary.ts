import { setImmediate } from 'node:timers/promises'
import type { Changes, Db } from '#core'
import { vocabularyCacheTag } from '../cache-tags.ts'
import { addWords, listSearchedTexts } from '../repository/vocabulary.ts'
import { createKnownTokens, type TokensByLanguage } from './known-tokens.ts'

/** The words that prefixes and misspelt words are compared with. The triggers of the index do not write them. */
export interface Vocabulary {
  /** Adds the words of the public posts among these. */
  addWordsOf(post_ids: readonly string[]): Promise<void>
}

/** Texts of one statement: one may be 2 MB. */
const textsPerStatement = 25
/** Nobody touches it alone: all tags are touched when a backup was restored. */
const restoreCacheTag = 'search.restore'

export function createVocabulary({ db, changes }: { db: Db; changes: Changes }): Vocabulary {
  let tokens = createKnownTokens()
  // A restored backup may hold fewer words. What is being added meanwhile is noted in the old ones.
  changes.on(restoreCacheTag, () => {
    tokens = createKnownTokens()
  })
  const add = (language: string, unknown: readonly string[]) =>
    db.transaction(async tx => {
      if ((await addWords(tx, language, unknown)) > 0) await changes.touch(tx, vocabularyCacheTag)
    })
  return {
    async addWordsOf(post_ids) {
      const known = tokens
      const unknown: TokensByLanguage = new Map()
      for (let from = 0; from < post_ids.length; from += textsPerStatement) {
        for (const text of await listSearchedTexts(db, post_ids.slice(from, from + textsPerStatement))) {
          known.addUnknown(text, unknown)
          // A long text takes milliseconds: requests come between.
          await setImmediate()
        }
      }
      for (const [language, found] of unknown) {
        await add(language, [...found])
        known.add(language, found)
      }
    }
  }
}
