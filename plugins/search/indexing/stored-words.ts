import { batched } from '#concurrency'
import type { Changes, Db, Log } from '#core'
import type { TextLanguage } from '#text'
import { storedWordsCacheTag, vocabularyCacheTag } from '../cache-tags.ts'
import { readRow, rowsOfPage } from '../inverted-index/posting-rows.ts'
import { termsOfBlock } from '../inverted-index/term-block.ts'
import type { PostText } from '../inverted-index/text-fields.ts'
import { readPostingsAfter } from '../repository/postings.ts'
import { listSegments, type Segment } from '../repository/segments.ts'
import { listIndexedBetween } from '../repository/texts.ts'
import { countRowsWithoutWord } from '../repository/verification.ts'
import { addStems, countWithoutWord } from '../repository/vocabulary.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import { startIndexProcess } from './index-process.ts'

export interface StoredWordsDeps {
  db: Db
  changes: Changes
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

/** How many terms of the index no word stands for, as far as the beginnings of segments and of their rows say. */
export async function countLostWords(db: Db, segments: readonly Segment[]): Promise<number> {
  let lost = await countRowsWithoutWord(db)
  for (const { segment_id } of segments) {
    const read = await readPostingsAfter(db, segment_id, beforeAll, sample)
    if (read !== undefined) lost += await countWithoutWords(db, termsOfRows(read))
  }
  return lost
}

/** The same of these terms, however many they are. */
export async function countWithoutWords(db: Db, terms: readonly string[]): Promise<number> {
  let lost = 0
  for (const some of batched(terms, { maxItems: termsPerStatement })) lost += await countWithoutWord(db, some)
  return lost
}

const termsOfRows = (read: Parameters<typeof rowsOfPage>[0]): string[] =>
  [...rowsOfPage(read)].flatMap(row => {
    const block = readRow(row)
    return block === undefined ? [] : termsOfBlock(block.posts)
  })

/** Stores the words of all posts again that should be stored. */
export async function refillWords(deps: StoredWordsDeps, lost: number, signal: AbortSignal): Promise<void> {
  const { db, changes, log } = deps
  log.error({ lost }, 'words of posts were gone that others are compared with: they are stored again')
  await db.transaction(tx => changes.touch(tx, storedWordsCacheTag))
  await addWordsOfPosts(deps, signal)
  for (const { segment_id } of await listSegments(db)) await addTermsOf(deps, segment_id, signal)
}

/** Analyzes all texts like indexing does, for their words alone. */
async function addWordsOfPosts({ db, languageOf, vocabulary }: StoredWordsDeps, signal: AbortSignal): Promise<void> {
  const process = startIndexProcess(signal)
  const all = { first: 0, last: 2_147_483_647 }
  try {
    let after = -1
    for (;;) {
      signal.throwIfAborted()
      const texts = await listIndexedBetween(db, all, after, batch)
      const last = texts.at(-1)
      if (last === undefined) return
      const { words, isFull } = await process.add(texts.map(text => ({ ...text, analyzed_as: languageOf(text) })))
      if (isFull) await process.takeSegment()
      await vocabulary.addWords(words)
      after = last.post_no
    }
  } finally {
    process.end()
  }
}

/** Terms that posts have no more are in segments until these are merged. */
async function addTermsOf({ db, changes }: StoredWordsDeps, segment_id: number, signal: AbortSignal): Promise<void> {
  let last = beforeAll
  for (;;) {
    signal.throwIfAborted()
    const read = await readPostingsAfter(db, segment_id, last, page)
    if (read === undefined) return
    for (const terms of batched(termsOfRows(read), { maxItems: termsPerStatement }))
      await db.transaction(async tx => {
        if ((await addStems(tx, terms)) > 0) await changes.touch(tx, vocabularyCacheTag)
      })
    last = { term: read.terms.at(-1) ?? '', part: read.parts.at(-1) ?? 0 }
  }
}
