import type { Db } from '#core'
import { readRow, rowsOfPage } from '../inverted-index/posting-rows.ts'
import { firstTermOf, termsOfBlock } from '../inverted-index/term-block.ts'
import { verifyVectors } from '../latent/verify-vectors.ts'
import { readPostingsAfter } from '../repository/postings.ts'
import { listSegments, type Segment } from '../repository/segments.ts'
import { countDiffering, countUncovered } from '../repository/verification.ts'
import { repairIndex } from './inspection.ts'
import { countWithoutWords, refillWords, type StoredWordsDeps } from './stored-words.ts'

/** What is wrong with the index. */
export interface IndexVerification {
  segments: number
  postings: number
  /** Segments with postings that are damaged, or missing. */
  damaged: number
  /** Posts whose entry in the index is wrong, or missing. */
  differing: number
  /** Posts that stand in no segment, and wait for none. */
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
  const segments = await listSegments(db)
  const damaged: Segment[] = []
  let postings = 0
  let words = 0
  for (const segment of segments) {
    const { rows, isWhole, wordless } = await verifySegment(db, segment, signal)
    postings += rows
    words += wordless
    onProgress(postings)
    if (!isWhole) damaged.push(segment)
  }
  const found = { differing: await countDiffering(db), lost: await countUncovered(db) }
  const isIndexRepaired = isFixing && damaged.length + found.differing + found.lost > 0
  if (isIndexRepaired) await repairIndex(deps, { damaged, ...found })
  const vectors = await verifyVectors(db, { signal, isFixing })
  if (isFixing && words > 0) await refillWords(deps, words, { signal })
  const isRepaired = isIndexRepaired || (isFixing && words + vectors > 0)
  return { segments: segments.length, postings, damaged: damaged.length, ...found, words, vectors, isRepaired }
}

async function verifySegment(db: Db, { segment_id, checksum }: Segment, signal: AbortSignal) {
  let last = { term: '', part: -1 }
  let sum = 0
  let count = 0
  let wordless = 0
  let isWhole = true
  for (;;) {
    signal.throwIfAborted()
    const read = await readPostingsAfter(db, segment_id, last, page)
    if (read === undefined) return { rows: count, isWhole: isWhole && sum === checksum, wordless }
    const { terms, parts } = read
    const ofBlocks: string[] = []
    for (const [at, row] of [...rowsOfPage(read)].entries()) {
      const ofRow = readRow(row)
      // A row under another term is not found.
      if (ofRow === undefined || ![firstTermOf(ofRow.posts), ''].includes(terms[at] ?? '')) isWhole = false
      else {
        sum += ofRow.checksum
        ofBlocks.push(...termsOfBlock(ofRow.posts))
      }
    }
    wordless += await countWithoutWords(db, ofBlocks)
    count += terms.length
    last = { term: terms.at(-1) ?? '', part: parts.at(-1) ?? 0 }
  }
}
