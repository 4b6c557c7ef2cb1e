import type { Db } from '#core'
import { eachPosting } from '../inverted-index/encoded-list.ts'
import { readRow, rowsOfPage } from '../inverted-index/posting-rows.ts'
import { entriesOf, firstTermOf } from '../inverted-index/term-block.ts'
import { verifyVectors } from '../latent/verify-vectors.ts'
import { readPostingsAfter } from '../repository/postings.ts'
import { listSegments, type Segment } from '../repository/segments.ts'
import { countDiffering, countUncovered } from '../repository/verification.ts'
import { repairIndex } from './inspection.ts'
import { createPostSet, listMisplaced, type ReadSegment } from './misplaced.ts'
import { countWithoutWords, refillWords, type StoredWordsDeps } from './stored-words.ts'

/** What is wrong with the index. */
export interface IndexVerification {
  segments: number
  postings: number
  /** Segments with postings that are damaged, or missing. */
  damaged: number
  /** Posts whose entry in the index is wrong, or missing. */
  differing: number
  /** Posts that stand in no segment, or not in the one that their entry names, and wait for none. */
  lost: number
  /** Terms that no word stands for, of each segment: beginnings and misspellings do not find them. */
  words: number
  /** Vectors of latent semantic analysis that are damaged, or missing. */
  vectors: number
  isRepaired: boolean
}

export interface IndexVerifyOptions {
  signal: AbortSignal
  /** Has the texts of damaged segments, and lost ones, indexed again, and stores lost words. */
  isFixing: boolean
  onProgress(postings: number): void
}

const page = { rows: 5_000, bytes: 4_000_000 }

/** Reads the whole index. Texts are not compared: `rebuild` makes the index anew from them. */
export async function verifyIndex(
  deps: StoredWordsDeps,
  { signal, isFixing, onProgress }: IndexVerifyOptions
): Promise<IndexVerification> {
  const { db } = deps
  const read = await readSegments(deps, { signal, onProgress })
  const { damaged, words, postings } = totalsOf(read)
  const misplaced = await listMisplaced(
    db,
    read.filter(({ isWhole }) => isWhole)
  )
  const found = { differing: await countDiffering(db), lost: (await countUncovered(db)) + misplaced.length }
  const isIndexRepaired = isFixing && damaged.length + found.differing + found.lost > 0
  if (isIndexRepaired) await repairIndex(deps, { damaged, misplaced, ...found })
  const vectors = await verifyVectors(db, { signal, isFixing })
  if (isFixing && words > 0) await refillWords(deps, words, { signal })
  const isRepaired = isIndexRepaired || (isFixing && words + vectors > 0)
  return { segments: read.length, postings, damaged: damaged.length, ...found, words, vectors, isRepaired }
}

/** A segment with what was found in it. */
interface VerifiedSegment extends ReadSegment {
  segment: Segment
  rows: number
  isWhole: boolean
  /** Its terms that no word stands for. */
  wordless: number
}

/** Until all were read that searches read now: while one is read it may be merged with others, and its rows removed. */
async function readSegments(
  { db }: StoredWordsDeps,
  { signal, onProgress }: Pick<IndexVerifyOptions, 'signal' | 'onProgress'>
): Promise<VerifiedSegment[]> {
  const read = new Map<number, VerifiedSegment>()
  let rows = 0
  for (;;) {
    const present = await listSegments(db)
    const next = present.find(({ segment_id }) => !read.has(segment_id))
    if (next === undefined) return present.flatMap(({ segment_id }) => read.get(segment_id) ?? [])
    const verified = await verifySegment(db, next, signal)
    read.set(next.segment_id, verified)
    rows += verified.rows
    onProgress(rows)
  }
}

function totalsOf(read: readonly VerifiedSegment[]) {
  return {
    damaged: read.filter(({ isWhole }) => !isWhole).map(({ segment }) => segment),
    words: read.reduce((sum, { wordless }) => sum + wordless, 0),
    postings: read.reduce((sum, { rows }) => sum + rows, 0)
  }
}

async function verifySegment(db: Db, segment: Segment, signal: AbortSignal): Promise<VerifiedSegment> {
  const { segment_id, checksum } = segment
  const posts = createPostSet()
  let last = { term: '', part: -1 }
  let sum = 0
  let count = 0
  let wordless = 0
  let isWhole = true
  for (;;) {
    signal.throwIfAborted()
    const read = await readPostingsAfter(db, segment_id, last, page)
    if (read === undefined) return { segment, posts, rows: count, isWhole: isWhole && sum === checksum, wordless }
    const { terms, parts } = read
    const ofBlocks: string[] = []
    for (const [at, row] of [...rowsOfPage(read)].entries()) {
      const ofRow = readRow(row)
      // A row under another term is not found.
      if (ofRow === undefined || ![firstTermOf(ofRow.posts), ''].includes(terms[at] ?? '')) isWhole = false
      else {
        sum += ofRow.checksum
        for (const entry of entriesOf(ofRow)) {
          ofBlocks.push(entry.term)
          eachPosting(entry, postNo => posts.add(postNo))
        }
      }
    }
    wordless += await countWithoutWords(db, ofBlocks)
    count += terms.length
    last = { term: terms.at(-1) ?? '', part: parts.at(-1) ?? 0 }
  }
}
