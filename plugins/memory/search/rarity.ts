import type { Queryable } from '#core'
import { inverseDocumentFrequency, isStopWord, stem, termsOf, tokensOf } from '#text'
import { type RarityOf, uniformRarity } from '../embedders/embedded.ts'
import { listSampleTexts } from '../repository/passages.ts'
import { isDb } from './nearest.ts'

/** Enough to tell a corpus' own common words from its rare ones; read and counted in about 0.1 s. */
const sampledPassages = 2000
/** Fewer say nothing about how common a word is. */
const minPassages = 100
/** A word of one in 50 passages; those of a more frequent one take long to look up. */
const minRarity = 1.3
const maxRareWords = 4
/** Word frequencies change slowly. */
const staleAfterMs = 10 * 60_000

export interface Rarity {
  /** Reads the sample if it was not read in the last ten minutes. Searches that arrive meanwhile wait for the same read. */
  read(db: Queryable): Promise<void>
  /** How rare a word is in the sample last read: 1 is a word of one in 20 passages; one found everywhere hardly counts. */
  of: RarityOf
  /** The same; undefined where there are too few passages to tell. */
  known(): RarityOf | undefined
  /** The words of a text that few passages hold, the rarest first; none where there are too few passages to tell. */
  rareWords(text: string): string[]
}

export function createRarity(now: () => Date): Rarity {
  let rarityOf: RarityOf = uniformRarity
  let staleFrom = 0
  let reading: Promise<void> | undefined
  const readSample = async (db: Queryable) => {
    rarityOf = await readRarity(db)
    staleFrom = now().getTime() + staleAfterMs
  }
  return {
    async read(db) {
      if (now().getTime() < staleFrom) return
      // A caller's transaction must not wait for a read outside: on the embedded database that read waits for it.
      if (!isDb(db)) return await readSample(db)
      reading ??= readSample(db).finally(() => {
        reading = undefined
      })
      await reading
    },
    of: root => rarityOf(root),
    known: () => (rarityOf === uniformRarity ? undefined : rarityOf),
    rareWords(text) {
      const words = tokensOf(text).filter(word => !isStopWord(word))
      const rare = [...new Set(words)].filter(word => rarityOf(stem(word)) >= minRarity)
      return rare.sort((a, b) => rarityOf(stem(b)) - rarityOf(stem(a))).slice(0, maxRareWords)
    }
  }
}

async function readRarity(db: Queryable): Promise<RarityOf> {
  const texts = await listSampleTexts(db, sampledPassages)
  if (texts.length < minPassages) return uniformRarity
  const found = new Map<string, number>()
  for (const text of texts) {
    for (const term of new Set(termsOf(text))) found.set(term, (found.get(term) ?? 0) + 1)
  }
  return rarityIn(found, texts.length)
}

/** A function of its own: made beside the texts, it would hold them. */
const rarityIn =
  (found: ReadonlyMap<string, number>, sampled: number): RarityOf =>
  root =>
    // BM25's weight of a word, over that of one in 20 passages.
    inverseDocumentFrequency(sampled, found.get(root) ?? 0) / 3
