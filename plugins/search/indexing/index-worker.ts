import os from 'node:os'
import { parentPort } from 'node:worker_threads'
import { lowerPriority } from '#child-process/priority'
import type { PostingRows } from '../inverted-index/posting-rows.ts'
import { createSegmentBuilder, type SegmentBuilder, type WordOfTerm } from '../inverted-index/segment-builder.ts'
import type { AnalyzedPost } from '../inverted-index/text-fields.ts'
import { takeRows } from './build.ts'
import { createMerger, type MergePlan, type Merger, type MergeStep } from './merge.ts'
import { DamagedPostingsError, type SegmentPage } from './merge-cursor.ts'

/** What the texts of one order brought to the segment that grows. */
export interface GrownSegment {
  /** Of each text, in their order. */
  lengthCodes: number[]
  /** Words that were not answered before. */
  words: WordOfTerm[]
  /** The segment should have no more texts. */
  isFull: boolean
}

export type IndexWorkerOrder =
  | { kind: 'add'; posts: readonly AnalyzedPost[] }
  | { kind: 'take-segment' }
  | { kind: 'begin-merge'; plan: MergePlan }
  | { kind: 'merge'; pages: readonly SegmentPage[] }
export type IndexWorkerAnswer =
  | { kind: 'added'; added: GrownSegment }
  | { kind: 'taken'; rows: PostingRows[] }
  | { kind: 'merging'; step: MergeStep }
  | { kind: 'damaged'; segment: number }
  | { kind: 'failed'; message: string }

const noPlan: MergePlan = { generations: new Int32Array(0), segments: [] }
let merger: Merger = createMerger(noPlan)
let builder: SegmentBuilder = createSegmentBuilder()

/** Bytes of postings: some 16,000 texts of 6 kB. A text is merged the less often, the larger its first segment is. */
const maxBytes = 40_000_000
/** Each takes some 150 bytes. */
const maxTerms = 300_000

function add(posts: readonly AnalyzedPost[]): GrownSegment {
  const lengthCodes = posts.map(post => builder.add(post))
  const isFull = builder.bytes() >= maxBytes || builder.termCount() >= maxTerms
  return { lengthCodes, words: builder.takeWords(), isFull }
}

function takeSegment(): PostingRows[] {
  const rows = takeRows(builder)
  // Terms that one text has would be held for ever.
  if (builder.termCount() >= maxTerms) builder = createSegmentBuilder()
  return rows
}

function execute(order: IndexWorkerOrder): IndexWorkerAnswer {
  if (order.kind === 'add') return { kind: 'added', added: add(order.posts) }
  if (order.kind === 'take-segment') return { kind: 'taken', rows: takeSegment() }
  if (order.kind === 'begin-merge') merger = createMerger(order.plan)
  const step = merger.step(order.kind === 'merge' ? order.pages : [])
  if (step.wanted.length === 0) merger = createMerger(noPlan)
  return { kind: 'merging', step }
}

function answerTo(order: IndexWorkerOrder): IndexWorkerAnswer {
  try {
    return execute(order)
  } catch (error) {
    if (error instanceof DamagedPostingsError) return { kind: 'damaged', segment: error.segment }
    return { kind: 'failed', message: String(error) }
  }
}

/** Moved to the other thread, not copied. */
function buffersOf(answer: IndexWorkerAnswer): ArrayBuffer[] {
  const rows = answer.kind === 'taken' ? answer.rows : answer.kind === 'merging' ? [answer.step.rows] : []
  return rows.flatMap(each => (each === undefined ? [] : [each.bytes.buffer]))
}

// On Linux this is the priority of the thread alone. Elsewhere it is the process's, which must stay as it is.
if (process.platform === 'linux') lowerPriority(0, os.constants.priority.PRIORITY_BELOW_NORMAL)

parentPort?.on('message', (order: IndexWorkerOrder) => {
  const answer = answerTo(order)
  parentPort?.postMessage(answer, buffersOf(answer))
})
