// Runs in a process of its own: see index-process.ts.
import { beChild } from '#child-process/be-child'
import { answerRequests } from '#child-process/worker-main'
import { enlargeWordCache } from '#text'
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

export type IndexWorkRequest =
  | { kind: 'add'; posts: readonly AnalyzedPost[] }
  | { kind: 'take-segment' }
  | { kind: 'next-rows' }
  | { kind: 'begin-merge'; plan: MergePlan }
  | { kind: 'merge'; pages: readonly SegmentPage[] }
export type IndexWorkAnswer =
  | { kind: 'added'; added: GrownSegment }
  | { kind: 'taken' }
  | { kind: 'rows'; rows: PostingRows | undefined }
  | { kind: 'merging'; step: MergeStep }
  | { kind: 'damaged'; segment: number }

const noPlan: MergePlan = { generations: new Int32Array(0), segments: [] }
let merger: Merger = createMerger(noPlan)
let builder: SegmentBuilder = createSegmentBuilder()
/** Of the segment that was taken: 40 MB, which the parent takes statement by statement. */
let taken: PostingRows[] = []

/** Bytes of postings: some 16,000 texts of 6 kB. A text is merged the less often, the larger its first segment is. */
const maxBytes = 40_000_000
/** Each takes some 150 bytes. */
const maxTerms = 300_000

function add(posts: readonly AnalyzedPost[]): GrownSegment {
  const lengthCodes = posts.map(post => builder.add(post))
  const isFull = builder.bytes() >= maxBytes || builder.termCount() >= maxTerms
  return { lengthCodes, words: builder.takeWords(), isFull }
}

function takeSegment(): void {
  taken = takeRows(builder)
  // Terms that one text has would be held for ever.
  if (builder.termCount() >= maxTerms) builder = createSegmentBuilder()
}

function execute(request: IndexWorkRequest): IndexWorkAnswer {
  switch (request.kind) {
    case 'add':
      return { kind: 'added', added: add(request.posts) }
    case 'take-segment':
      takeSegment()
      return { kind: 'taken' }
    case 'next-rows':
      return { kind: 'rows', rows: taken.shift() }
    case 'begin-merge':
      merger = createMerger(request.plan)
      return { kind: 'merging', step: mergeStep([]) }
    case 'merge':
      return { kind: 'merging', step: mergeStep(request.pages) }
  }
}

function mergeStep(pages: readonly SegmentPage[]): MergeStep {
  const step = merger.step(pages)
  if (step.wanted.length === 0) merger = createMerger(noPlan)
  return step
}

beChild()
enlargeWordCache()
answerRequests((request: IndexWorkRequest): IndexWorkAnswer => {
  try {
    return execute(request)
  } catch (error) {
    if (error instanceof DamagedPostingsError) return { kind: 'damaged', segment: error.segment }
    throw error
  }
})
