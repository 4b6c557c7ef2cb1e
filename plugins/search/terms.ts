import type { Changes, Db } from '#core'
import { postsTopic } from '#plugins/posts'
import { editDistance } from '#text'
import type { Index, PostingList } from './postings.ts'
import { listAlikeWords, listCompletions, listLexemes, type WordRow } from './repository/search.ts'
import { listLanguages } from './repository/vocabulary.ts'
import { languagesTopic, vocabularyTopic } from './topics.ts'

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
  /** Each with the words that begin with its own. */
  complete(slots: readonly Slot[]): Promise<Slot[]>
  /** What each unknown word may be the beginning or a misspelling of; itself when nothing comes near. */
  mend(slots: readonly Slot[], index: Index): Promise<Slot[]>
}

const mostKept = 5000
/** Of one word, and of all words of a query: each term costs a list of posts. */
const mostCompletions = 50
const mostCompletionsOfAll = 200
/** To compare a word with the vocabulary takes milliseconds; nobody misspells more in one query. */
const mostMended = 8
/** Shorter beginnings stand for too much. */
const shortestPrefix = 3
const shortestMended = 4
/** A misspelt word without its ending is compared as well; shorter ones are near to words it has nothing to do with. */
const shortestMendedStem = 5
const farApart = 3

export function createTerms({ db, changes }: { db: Db; changes: Changes }): Terms {
  const read = new Map<string, Slot[]>()
  const completions = createKept<string>(changes)
  const alike = createKept<WordRow>(changes)
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
  changes.on(vocabularyTopic, drop)
  const complete = async (slots: readonly Slot[]) => {
    const found = await completions.get(
      slots.map(({ word }) => word),
      async words => groupBy(await listCompletions(db, words, mostCompletions), row => [row.prefix, row.term])
    )
    const most = Math.max(1, Math.floor(mostCompletionsOfAll / Math.max(1, slots.length)))
    return slots.map(slot => {
      const words = (found.get(slot.word) ?? []).slice(0, most)
      return { ...slot, terms: [...new Set([...slot.terms, ...words])] }
    })
  }
  /** Words like each, of those that no other word begins with. */
  const likeAll = async (slots: readonly Slot[], index: Index) => {
    const typed = slots.map(typedOf)
    const found = await alike.get([...new Set(typed.flat())], async words =>
      groupBy(await listAlikeWords(db, words), ({ asked, ...row }) => [asked, row])
    )
    const near = typed.map(each =>
      nearTo(
        each,
        each.flatMap(word => found.get(word) ?? [])
      )
    )
    const lists = await index.lists(near.flatMap(each => each.map(({ term }) => term)))
    return slots.map((slot, at): Slot => nearest(near[at] ?? [], lists) ?? slot)
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
    mend: async (slots, index) => {
      const tried = slots.slice(0, mostMended)
      const long = tried.filter(({ word }) => word.length >= shortestPrefix)
      const completed = await complete(long)
      const lists = await index.lists(completed.flatMap(({ terms }) => terms))
      const mended = new Map<Slot, Slot>(
        long.flatMap((slot, at) => {
          const whole = completed[at]
          return whole?.terms.some(term => lists.has(term)) ? [[slot, whole] as const] : []
        })
      )
      const misspelt = tried.filter(slot => !mended.has(slot) && slot.word.length >= shortestMended)
      const like = await likeAll(misspelt, index)
      for (const [at, slot] of misspelt.entries()) mended.set(slot, like[at] ?? slot)
      return slots.map(slot => mended.get(slot) ?? slot)
    }
  }
}

/** A word as it was typed, and without its ending. */
function typedOf({ word, terms }: Slot): string[] {
  const stems = terms.slice(0, 1).filter(stem => stem.length >= shortestMendedStem)
  return [...new Set([word, ...stems])]
}

function groupBy<Row, T>(rows: readonly Row[], entryOf: (row: Row) => [key: string, value: T]): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const [key, value] of rows.map(entryOf)) {
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [value])
    else group.push(value)
  }
  return groups
}

/** Answers of the database by key, kept while no change could be missed; what is not known is asked for together. */
function createKept<T>(changes: Changes) {
  const kept = new Map<string, readonly T[]>()
  let generation = 0
  return {
    clear: () => {
      generation += 1
      kept.clear()
    },
    get: async (keys: readonly string[], ask: (missing: readonly string[]) => Promise<Map<string, T[]>>) => {
      const isCurrent = changes.isCurrent()
      const known = new Map(keys.map(key => [key, isCurrent ? kept.get(key) : undefined] as const))
      const missing = [...known].filter(([, found]) => found === undefined).map(([key]) => key)
      if (missing.length === 0) return known
      const begun = generation
      const found = await ask(missing)
      if (kept.size + missing.length > mostKept) kept.clear()
      for (const key of missing) {
        known.set(key, found.get(key) ?? [])
        if (begun === generation) kept.set(key, found.get(key) ?? [])
      }
      return known
    }
  }
}

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

interface NearTerm {
  term: string
  distance: number
}

function nearTo(typed: readonly string[], words: readonly WordRow[]): NearTerm[] {
  return words.flatMap(({ word, term }) => {
    const slips = typed.flatMap(each => {
      const distance = editDistance(each, word, farApart)
      return distance <= mostSlips(each) ? [distance] : []
    })
    return slips.length === 0 ? [] : [{ term, distance: Math.min(...slips) }]
  })
}

/** The terms the fewest slips away; among as many, those more posts have. */
function nearest(near: readonly NearTerm[], lists: ReadonlyMap<string, PostingList>): Slot | undefined {
  const held = near.filter(({ term }) => lists.has(term))
  const least = Math.min(...held.map(({ distance }) => distance))
  const best = [...new Set(held.filter(({ distance }) => distance === least).map(({ term }) => term))].sort(
    (a, b) => sizeOf(lists, b) - sizeOf(lists, a) || (a < b ? -1 : 1)
  )
  return best[0] === undefined ? undefined : { terms: best.slice(0, 3), word: best[0] }
}

const mostSlips = (word: string) => (word.length < 8 ? 1 : 2)

const sizeOf = (lists: ReadonlyMap<string, PostingList>, term: string) => lists.get(term)?.posts.length ?? 0
