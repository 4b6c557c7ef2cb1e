import type { Phrase } from '../repository/search.ts'
import type { Index, PostingList } from './postings.ts'
import type { Chunk, Query } from './query.ts'
import { mergeLists, mostBits, type RankedTerm } from './ranking.ts'
import type { Slot, Terms } from './terms.ts'

/** One way to have what is asked for: words, by their bits in a ranking and by their lists, and a phrase to be verified. */
export interface Alternative {
  bits: number
  /** Undefined for a word that no post has. */
  lists: (PostingList | undefined)[]
  phrase: Phrase | undefined
  /** In quotes, or a word written without blanks: no post without it. */
  isStrict: boolean
}

/** A query with the lists it needs. */
export interface Plan {
  terms: RankedTerm[]
  /** One of each must be had. */
  wanted: Alternative[][]
  unwanted: Alternative[]
  /** Terms to mark in snippets. */
  marked: string[]
}

/** Undefined for a query that asks for no word. */
export async function planOf(
  query: Query,
  terms: Terms,
  index: Index,
  languages: readonly string[]
): Promise<Plan | undefined> {
  const wantedChunks = query.wanted.flat()
  const chunks = [...wantedChunks, ...query.unwanted]
  const texts = chunks.map(chunk => chunk.text)
  const read = await terms.read(texts, languages)
  const slots = await mendAll(chunks, read, terms, index, wantedChunks.length)
  const lists = await index.lists(slots.flat().flatMap(slot => slot.terms))
  const words = new Map<string, { bit: number; list: PostingList | undefined }>()
  const wordOf = (slot: Slot) => {
    const key = slot.terms.join(' ')
    const held = slot.terms.flatMap(term => lists.get(term) ?? [])
    const list = held.length === 0 ? undefined : mergeLists(held)
    const word = words.get(key) ?? { bit: words.size < mostBits ? 1 << words.size : 0, list }
    words.set(key, word)
    return word
  }
  const alternativeOf = (chunk: Chunk, at: number): Alternative[] => {
    const found = (slots[at] ?? []).map(wordOf)
    if (found.length === 0) return []
    const bits = found.reduce((all, { bit }) => all | bit, 0)
    const hasIdleWords = chunk.isPhrase && (read[at] ?? []).some(saysNothing)
    const phrase = found.length > 1 || hasIdleWords ? { text: chunk.text, hasIdleWords } : undefined
    return [{ bits, lists: found.map(({ list }) => list), phrase, isStrict: isStrict(chunk) }]
  }
  let at = 0
  const wanted = query.wanted
    .map(choices => choices.flatMap(chunk => alternativeOf(chunk, at++)))
    .filter(choices => choices.length > 0)
  if (wanted.length === 0) return undefined
  const ranked = [...words.values()].flatMap(({ bit, list }) => (list === undefined ? [] : [{ bit, list }]))
  const unwanted = query.unwanted.flatMap(chunk => alternativeOf(chunk, at++))
  const marked = slots.slice(0, wantedChunks.length).flatMap(found => found.flatMap(slot => slot.terms))
  return { terms: ranked, wanted, unwanted, marked }
}

/** Scripts without blanks: a few characters are a word, many are a sentence. */
const unspacedWord = /^[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff]{2,4}$/

const isStrict = ({ isPhrase, text }: Chunk) => isPhrase || unspacedWord.test(text)

const saysNothing = ({ terms }: Slot) => terms.length === 0

async function mendAll(
  chunks: readonly Chunk[],
  read: readonly (readonly Slot[])[],
  terms: Terms,
  index: Index,
  wanted: number
): Promise<Slot[][]> {
  const lists = await index.lists(read.flat().flatMap(slot => slot.terms))
  const isKnown = (slot: Slot) => slot.terms.some(term => lists.has(term))
  const mended = async (slot: Slot) => (isKnown(slot) ? slot : ((await terms.mend(slot, index)) ?? slot))
  return Promise.all(
    read.map((slots, at) => {
      const chunk = chunks[at]
      const telling = slots.filter(slot => !saysNothing(slot))
      if (chunk?.isPrefix === true) {
        // Also of a beginning that is a word which says nothing: `can*` is candle, too.
        const last = slots.at(-1)
        const others = telling.filter(slot => slot !== last)
        return Promise.all([...others, ...(last === undefined ? [] : [terms.complete(last)])])
      }
      // A phrase is meant as it stands, and what is not wanted must not be guessed.
      return chunk?.isPhrase === true || at >= wanted ? telling : Promise.all(telling.map(mended))
    })
  )
}
