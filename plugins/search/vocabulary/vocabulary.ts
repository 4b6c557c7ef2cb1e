import { setImmediate } from 'node:timers/promises'
import { batched } from '#concurrency'
import { type Changes, createBoundedMap, type Db } from '#core'
import { restoreCacheTag, storedWordsCacheTag, vocabularyCacheTag } from '../cache-tags.ts'
import { keyOfWord, type WordOfTerm } from '../inverted-index/segment-builder.ts'
import { addWords, type WordRow } from '../repository/vocabulary.ts'

/** The words of published posts that prefixes and misspelt words are compared with. */
export interface Vocabulary {
  addWords(words: readonly WordOfTerm[]): Promise<void>
}

const wordsPerStatement = 5_000
/** A language has some ten thousand in use; each takes some tens of bytes. */
const maxKnown = 100_000
/** Notes which words are stored: texts share most of theirs. */
export function createVocabulary({ db, changes }: { db: Db; changes: Changes }): Vocabulary {
  let known = noWords()
  // A restored backup may hold fewer words. What is being added meanwhile is noted in the old ones.
  for (const tag of [restoreCacheTag, storedWordsCacheTag])
    changes.on(tag, () => {
      known = noWords()
    })
  return {
    async addWords(words) {
      const stored = known
      const pairs = words.flatMap(withStem)
      const unknown = pairs.filter(pair => stored.get(keyOf(pair)) === undefined)
      for (const batch of batched(unknown, { maxItems: wordsPerStatement })) {
        await db.transaction(async tx => {
          if ((await addWords(tx, batch)) > 0) await changes.touch(tx, vocabularyCacheTag)
        })
        for (const pair of batch) stored.set(keyOf(pair), true)
        await setImmediate()
      }
    }
  }
}

const noWords = () => createBoundedMap<string, true>({ maxEntries: () => maxKnown })

type StoredWord = WordOfTerm & WordRow

function withStem(pair: WordOfTerm): StoredWord[] {
  const word = { ...pair, is_stem: false }
  return pair.word === pair.term ? [word] : [word, { ...pair, word: pair.term, is_stem: true }]
}

const keyOf = (pair: StoredWord) => `${keyOfWord(pair)}${pair.is_stem ? ' =' : ''}`
