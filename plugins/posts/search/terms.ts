import type { Changes, Db } from '#core'
import { listAlikeWords, listCompletions, listLexemes, type WordRow } from '../repository/search.ts'
import { listLanguages } from '../repository/search-index.ts'
import { postsTopic } from '../totals.ts'
import { typingDistance } from './distance.ts'
import type { Index, PostingList } from './postings.ts'

/** One word of a query: the terms it may stand as in the index, none of a word that says nothing, and the word itself in lower case. */
export interface Slot {
  readonly terms: readonly string[]
  readonly word: string
}

/** Reads words as the index has them, and mends those it does not have. */
export interface Terms {
  languages(): Promise<readonly string[]>
  /** The words of each text, in order. */
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
/** A misspelt word without its ending is compared as well; shorter ones are near to words it has nothing to do with. */
const shortestMendedStem = 5
const farApart = 3

export function createTerms({ db, changes }: { db: Db; changes: Changes }): Terms {
  const read = new Map<string, Slot[]>()
  const completions = createKept<string[]>(changes)
  const alike = createKept<WordRow[]>(changes)
  let languages: readonly string[] | undefined
  let generation = 0
  const drop = () => {
    generation += 1
    completions.clear()
    alike.clear()
    languages = undefined
  }
  changes.on(postsTopic, drop)
  changes.on(languagesTopic, drop)
  changes.on(searchTopic, drop)
  const complete = async (slot: Slot) => {
    const words = await completions.get(slot.word, () => listCompletions(db, slot.word, mostCompletions))
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
      if (slot.word.length < shortestMended) return undefined
      const stems = slot.terms.slice(0, 1).filter(stem => stem.length >= shortestMendedStem)
      const typed = [...new Set([slot.word, ...stems])]
      return nearest(typed, await alike.get(typed.join(' '), () => listAlikeWords(db, typed)), index)
    }
  }
}

/** Answers of the database by key, kept while no change could be missed. */
function createKept<T>(changes: Changes) {
  const kept = new Map<string, Promise<T>>()
  return {
    clear: () => kept.clear(),
    get: (key: string, ask: () => Promise<T>) => {
      const known = kept.get(key)
      if (known !== undefined && changes.isCurrent()) return known
      if (kept.size >= mostKept) kept.clear()
      const asked = ask()
      kept.set(key, asked)
      asked.catch(() => kept.delete(key))
      return asked
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
    [...ofText].sort(([a], [b]) => a - b).map(([, { terms, word }]) => ({ terms: [...terms], word }))
  )
}

/** The terms the fewest slips away; among as many, those more posts have. */
async function nearest(typed: readonly string[], words: readonly WordRow[], index: Index): Promise<Slot | undefined> {
  const near = words.flatMap(({ word, term }) => {
    const slips = typed.flatMap(each => {
      const distance = typingDistance(each, word, farApart)
      return distance <= mostSlips(each) ? [distance] : []
    })
    return slips.length === 0 ? [] : [{ term, distance: Math.min(...slips) }]
  })
  const lists = await index.lists(near.map(({ term }) => term))
  const held = near.filter(({ term }) => lists.has(term))
  const least = Math.min(...held.map(({ distance }) => distance))
  const best = [...new Set(held.filter(({ distance }) => distance === least).map(({ term }) => term))].sort(
    (a, b) => sizeOf(lists, b) - sizeOf(lists, a) || (a < b ? -1 : 1)
  )
  return best[0] === undefined ? undefined : { terms: best.slice(0, 3), word: best[0] }
}

const mostSlips = (word: string) => (word.length < 8 ? 1 : 2)

const sizeOf = (lists: ReadonlyMap<string, PostingList>, term: string) => lists.get(term)?.posts.length ?? 0
