import type { Index, PostingList } from './postings.ts'
import type { Chunk, Query } from './query.ts'
import { mergeLists, mostBits, type RankedTerm } from './ranking.ts'
import type { Phrase } from './repository/search.ts'
import type { Slot, Terms } from './terms.ts'

/** One way to have what is asked for: words, by their bits in a ranking and by their lists, and a phrase to be verified. */
export interface Alternative {
  bits: number
  /** Undefined for a word that no post has. */
  lists: (PostingList | undefined)[]
  /** The place of its phrase among those of the plan. */
  phrase: number | undefined
  /** In quotes, or a word written without blanks: no post without it. */
  isStrict: boolean
}

/** A query with the lists it needs. */
export interface Plan {
  terms: RankedTerm[]
  /** One of each must be had. */
  wanted: Alternative[][]
  unwanted: Alternative[]
  /** Those that the alternatives name. */
  phrases: Phrase[]
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
  const phrases: Phrase[] = []
  const phraseNo = (phrase: Phrase) => {
    const at = phrases.findIndex(({ text }) => text === phrase.text)
    return at === -1 ? phrases.push(phrase) - 1 : at
  }
  const alternativeOf = (chunk: Chunk, at: number): Alternative[] => {
    const found = (slots[at] ?? []).map(wordOf)
    if (found.length === 0) return []
    const bits = found.reduce((all, { bit }) => all | bit, 0)
    const hasIdleWords = chunk.isPhrase && (read[at] ?? []).some(saysNothing)
    const phrase = found.length > 1 || hasIdleWords ? phraseNo({ text: chunk.text, hasIdleWords }) : undefined
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
  return { terms: ranked, wanted, unwanted, phrases, marked }
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
  const telling = read.map(slots => slots.filter(slot => !saysNothing(slot)))
  const isBegun = (at: number) => chunks[at]?.isPrefix === true
  // Also of a beginning that is a word which says nothing: `can*` is candle, too.
  const begun = read.flatMap((slots, at) => (isBegun(at) ? slots.slice(-1) : []))
  // A phrase is meant as it stands, and what is not wanted must not be guessed.
  const isMeant = (at: number) => isBegun(at) || chunks[at]?.isPhrase === true || at >= wanted
  const lists = await index.lists(read.flat().flatMap(slot => slot.terms))
  const unknown = telling
    .flatMap((slots, at) => (isMeant(at) ? [] : slots))
    .filter(slot => !slot.terms.some(term => lists.has(term)))
  const replaced = new Map<Slot, Slot>()
  const replace = (slots: readonly Slot[], by: readonly Slot[]) => {
    for (const [at, slot] of slots.entries()) replaced.set(slot, by[at] ?? slot)
  }
  if (begun.length > 0) replace(begun, await terms.complete(begun))
  if (unknown.length > 0) replace(unknown, await terms.mend(unknown, index))
  return telling.map((slots, at) => {
    const last = isBegun(at) ? read[at]?.at(-1) : undefined
    if (last === undefined) return isMeant(at) ? slots : slots.map(slot => replaced.get(slot) ?? slot)
    return [...slots.filter(slot => slot !== last), replaced.get(last) ?? last]
  })
}
