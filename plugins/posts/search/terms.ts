import type { Changes, Db } from '#core'
import { listAlikeWords, listCompletions, listLexemes } from '../repository/search.ts'
import { listLanguages } from '../repository/search-index.ts'
import { postsTopic } from '../totals.ts'
import { typingDistance } from './distance.ts'
import type { Index, PostingList } from './postings.ts'

/** One word of a query: the terms it may stand as in the index, and the word itself in lower case. */
export interface Slot {
  readonly terms: readonly string[]
  readonly word: string
}

/** Reads words as the index has them, and mends those it does not have. */
export interface Terms {
  languages(): Promise<readonly string[]>
  /** The words of each text, in order; none for a text of stop words. */
  read(texts: readonly string[], languages: readonly string[]): Promise<Slot[][]>
  /** The words that begin with the slot's. */
  complete(slot: Slot): Promise<Slot>
  /** What an unknown word may be the beginning or a misspelling of; undefined when nothing comes near. */
  mend(slot: Slot, index: Index): Promise<Slot | undefined>
}

const mostKept = 5000
const mostCompletions = 50
/** Shorter beginnings stand for too much. */
const shortestPrefix = 3
const shortestMended = 4
const farApart = 3

export function createTerms({ db, changes }: { db: Db; changes: Changes }): Terms {
  const read = new Map<string, Slot[]>()
  const alike = new Map<string, Promise<string[]>>()
  let languages: readonly string[] | undefined
  let generation = 0
  const drop = () => {
    generation += 1
    alike.clear()
    languages = undefined
  }
  changes.on(postsTopic, drop)
  changes.on(languagesTopic, drop)
  changes.on(searchTopic, drop)
  const candidates = (key: string, ask: () => Promise<string[]>) => {
    const kept = alike.get(key)
    if (kept !== undefined && changes.isCurrent()) return kept
    if (alike.size >= mostKept) alike.clear()
    const asked = ask()
    alike.set(key, asked)
    asked.catch(() => alike.delete(key))
    return asked
  }
  const complete = async (slot: Slot) => {
    const words = await candidates(`${slot.word}*`, () => listCompletions(db, slot.word, mostCompletions))
    return { ...slot, terms: [...new Set([...slot.terms, ...words])] }
  }
  return {
    languages: async () => {
      if (languages !== undefined && changes.isCurrent()) return languages
      const begun = generation
      const found = await listLanguages(db)
      if (begun === generation) languages = found
      return found
    },
    read: async (texts, of) => {
      const keyOf = (text: string) => `${of.join()} ${text}`
      const missing = [...new Set(texts)].filter(text => !read.has(keyOf(text)))
      const slots = await readSlots(db, missing, of)
      if (read.size + missing.length > mostKept) read.clear()
      const known = new Map(texts.map(text => [text, read.get(keyOf(text)) ?? slots[missing.indexOf(text)] ?? []]))
      for (const [text, found] of known) read.set(keyOf(text), found)
      return texts.map(text => known.get(text) ?? [])
    },
    complete,
    mend: async (slot, index) => {
      if (slot.word.length >= shortestPrefix) {
        const completed = await complete(slot)
        if ((await index.lists(completed.terms)).size > 0) return completed
      }
      const term = slot.terms[0] ?? slot.word
      if (term.length < shortestMended) return undefined
      return nearest(slot, term, await candidates(term, () => listAlikeWords(db, term)), index)
    }
  }
}

/** Touched when memory or the vocabulary learns of a post, which is after the post's own change. */
export const searchTopic = 'posts.search'
/** Touched when posts are to be indexed in another language, and when they are. */
export const languagesTopic = 'posts.search_languages'

async function readSlots(db: Db, texts: readonly string[], languages: readonly string[]): Promise<Slot[][]> {
  if (texts.length === 0) return []
  const rows = await listLexemes(db, texts, [...new Set([...languages, 'simple'])])
  const slots = texts.map(() => new Map<number, { terms: Set<string>; word: string }>())
  for (const { text_no, language, lexeme, place } of rows) {
    const ofText = slots[text_no - 1]
    const slot = ofText?.get(place) ?? { terms: new Set<string>(), word: lexeme }
    ofText?.set(place, slot)
    if (languages.includes(language)) slot.terms.add(lexeme)
    if (language === 'simple') slot.word = lexeme
  }
  return slots.map(ofText =>
    [...ofText].flatMap(([, { terms, word }]) => (terms.size === 0 ? [] : [{ terms: [...terms], word }]))
  )
}

/** The terms the fewest slips away; among as many, those more posts have. */
async function nearest(slot: Slot, term: string, words: readonly string[], index: Index): Promise<Slot | undefined> {
  const allowed = term.length < 8 ? 1 : 2
  const near = words.flatMap(word => {
    const distance = Math.min(typingDistance(term, word, farApart), typingDistance(slot.word, word, farApart))
    return distance <= allowed ? [{ word, distance }] : []
  })
  const lists = await index.lists(near.map(({ word }) => word))
  const held = near.filter(({ word }) => lists.has(word))
  const least = Math.min(...held.map(({ distance }) => distance))
  const best = held
    .filter(({ distance }) => distance === least)
    .sort((a, b) => sizeOf(lists, b.word) - sizeOf(lists, a.word) || (a.word < b.word ? -1 : 1))
  return best[0] === undefined ? undefined : { terms: best.slice(0, 3).map(({ word }) => word), word: best[0].word }
}

const sizeOf = (lists: ReadonlyMap<string, PostingList>, word: string) => lists.get(word)?.posts.length ?? 0
