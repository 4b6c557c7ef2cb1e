import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { batched } from '#concurrency'
import type { Changes, Db, Log, Settings } from '#core'
import type { TextLanguage } from '#text'
import { storedWordsCacheTag, vocabularyCacheTag } from '../cache-tags.ts'
import { readRow, rowsOfPage, type StoredRow } from '../inverted-index/posting-rows.ts'
import { termsOfBlock } from '../inverted-index/term-block.ts'
import type { PostText } from '../inverted-index/text-fields.ts'
import { endWriting, leaseWriting } from '../repository/index-state.ts'
import { readPostingsAfter } from '../repository/postings.ts'
import { listSegments, type Segment } from '../repository/segments.ts'
import { listIndexedBetween } from '../repository/texts.ts'
import { listRowsWithoutWord, type RowKey, readRowsOf } from '../repository/verification.ts'
import { addStems, countWithoutWord } from '../repository/vocabulary.ts'
import type { searchSettings } from '../settings.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import { startIndexProcess } from './index-process.ts'

export interface StoredWordsDeps {
  db: Db
  changes: Changes
  settings: Settings<typeof searchSettings>
  languageOf: (post: PostText) => TextLanguage
  vocabulary: Pick<Vocabulary, 'addWords'>
  log: Log
}

/** Of a segment, where it is not read whole: of a small one it is all. */
const sample = { rows: 50, bytes: 500_000 }
const page = { rows: 5_000, bytes: 4_000_000 }
const batch = { posts: 500, characters: 3_000_000 }
const termsPerStatement = 10_000
const beforeAll = { term: '', part: -1 }

/** Of rows that begin with a term without a word: one says that a refill is due. */
const maxRowsWithoutWord = 1_000

/** What is wrong, as far as the beginnings of segments and of their rows say it. */
export interface LostWords {
  /** Terms of the index that no word stands for, and that a refill stores. */
  words: number
  /** Segments with rows that cannot be read, or stand under another term than their own. */
  damaged: ReadonlySet<number>
}

export async function findLostWords(db: Db, segments: readonly Segment[]): Promise<LostWords> {
  const damaged = new Set<number>()
  const lost = new Set<string>()
  for await (const { segment_id, term, ...stored } of rowsWithoutWord(db)) {
    const terms = readTermsOf(stored, term)
    if (terms === undefined) damaged.add(segment_id)
    else lost.add(term)
  }
  let words = lost.size
  for (const { segment_id } of segments) {
    const read = await readPostingsAfter(db, segment_id, beforeAll, sample)
    if (read === undefined) continue
    const rows = [...rowsOfPage(read)].map((row, at) => readTermsOf(row, read.terms[at]))
    if (rows.some(terms => terms === undefined)) damaged.add(segment_id)
    words += await countWithoutWords(
      db,
      rows.flatMap(terms => terms ?? []).filter(term => !lost.has(term))
    )
  }
  return { words, damaged }
}

/** One after the other. Rows of long lists have hundreds of kilobytes. */
async function* rowsWithoutWord(db: Db) {
  let keys: readonly RowKey[] = await listRowsWithoutWord(db, maxRowsWithoutWord)
  while (keys.length > 0) {
    const rows = await readRowsOf(db, keys, page.bytes)
    yield* rows
    keys = keys.slice(rows.at(-1)?.at ?? keys.length)
  }
}

/** The same of these terms, however many they are. */
export async function countWithoutWords(db: Db, terms: readonly string[]): Promise<number> {
  let lost = 0
  for (const some of batched(terms, { maxItems: termsPerStatement })) lost += await countWithoutWord(db, some)
  return lost
}

/** The terms of a row; undefined where it is damaged, or stands under another term. Under none stands the first of a segment. */
function readTermsOf(row: StoredRow, under = ''): string[] | undefined {
  const block = readRow(row)
  const terms = block && termsOfBlock(block.posts)
  return under === '' || under === terms?.[0] ? terms : undefined
}

const termsOfRows = (read: NonNullable<Awaited<ReturnType<typeof readPostingsAfter>>>): string[] =>
  [...rowsOfPage(read)].flatMap((row, at) => readTermsOf(row, read.terms[at]) ?? [])

/**
 * Stores the words of all posts again that should be stored. It writes as indexing does, which others do not at the same time; they may
 * do so in each `pause`.
 */
export async function refillWords(
  deps: StoredWordsDeps,
  lost: number,
  { signal, pause = async () => {} }: { signal: AbortSignal; pause?: () => Promise<void> }
): Promise<void> {
  const { db, changes, log } = deps
  log.error({ lost }, 'words of posts were gone that others are compared with: they are stored again')
  await db.transaction(tx => changes.touch(tx, storedWordsCacheTag))
  const refilling: Refilling = {
    ...deps,
    signal,
    async write(work) {
      const written = await asWriter(deps, signal, work)
      await pause()
      return written
    }
  }
  await addWordsOfPosts(refilling)
  for (const { segment_id } of await listSegments(db)) await addTermsOf(refilling, segment_id)
}

interface Refilling extends StoredWordsDeps {
  signal: AbortSignal
  write<Written>(work: () => Promise<Written>): Promise<Written>
}

const retryMs = 200

/** Once no other process writes. For less than a minute. */
async function asWriter<Written>(
  { db, settings }: StoredWordsDeps,
  signal: AbortSignal,
  work: () => Promise<Written>
): Promise<Written> {
  const writer = randomUUID()
  while (!(await leaseWriting(db, writer, settings.get('search_language'))))
    await setTimeout(retryMs, undefined, { signal })
  try {
    return await work()
  } finally {
    await endWriting(db, writer)
  }
}

/** Analyzes all texts like indexing does, for their words alone. */
async function addWordsOfPosts({ db, languageOf, vocabulary, signal, write }: Refilling): Promise<void> {
  const process = startIndexProcess(signal)
  const all = { first: 0, last: 2_147_483_647 }
  try {
    let after = -1
    for (;;) {
      signal.throwIfAborted()
      const texts = await listIndexedBetween(db, all, after, batch)
      const last = texts.at(-1)
      if (last === undefined) return
      await write(async () => {
        const { words, isFull } = await process.add(texts.map(text => ({ ...text, analyzed_as: languageOf(text) })))
        if (isFull) await process.takeSegment()
        await vocabulary.addWords(words)
      })
      after = last.post_no
    }
  } finally {
    process.end()
  }
}

/** Terms that posts have no more are in segments until these are merged. */
async function addTermsOf({ db, changes, signal, write }: Refilling, segment_id: number): Promise<void> {
  let last = beforeAll
  for (;;) {
    signal.throwIfAborted()
    const read = await readPostingsAfter(db, segment_id, last, page)
    if (read === undefined) return
    for (const terms of batched(termsOfRows(read), { maxItems: termsPerStatement }))
      await write(() =>
        db.transaction(async tx => {
          if ((await addStems(tx, terms)) > 0) await changes.touch(tx, vocabularyCacheTag)
        })
      )
    last = { term: read.terms.at(-1) ?? '', part: read.parts.at(-1) ?? 0 }
  }
}
