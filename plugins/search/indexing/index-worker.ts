import os from 'node:os'
import { parentPort } from 'node:worker_threads'
import { keyOfWord } from '../inverted-index/segment-builder.ts'
import type { AnalyzedPost } from '../inverted-index/text-fields.ts'
import { type BuiltSegment, buildSegment } from './build.ts'
import { createMerger, type MergePlan, type Merger, type MergeStep } from './merge.ts'
import { DamagedPostingsError, type SegmentPage } from './merge-cursor.ts'

export type IndexWorkerOrder =
  | { kind: 'build'; posts: readonly AnalyzedPost[] }
  | { kind: 'begin-merge'; plan: MergePlan }
  | { kind: 'merge'; pages: readonly SegmentPage[] }
export type IndexWorkerAnswer =
  | { kind: 'built'; segment: BuiltSegment }
  | { kind: 'merging'; step: MergeStep }
  | { kind: 'damaged'; segment: number }
  | { kind: 'failed'; message: string }

const noPlan: MergePlan = { generations: new Int32Array(0), segments: [] }
let merger: Merger = createMerger(noPlan)

/** Words that were answered before: texts share most of theirs, and each answer is copied. */
const answered = new Set<string>()
const maxAnswered = 500_000

function build(posts: readonly AnalyzedPost[]): BuiltSegment {
  const segment = buildSegment(posts)
  const words = segment.words.filter(word => !answered.has(keyOfWord(word)))
  if (answered.size > maxAnswered) answered.clear()
  for (const word of words) answered.add(keyOfWord(word))
  return { ...segment, words }
}

function carryOut(order: IndexWorkerOrder): IndexWorkerAnswer {
  if (order.kind === 'build') return { kind: 'built', segment: build(order.posts) }
  if (order.kind === 'begin-merge') merger = createMerger(order.plan)
  const step = merger.step(order.kind === 'merge' ? order.pages : [])
  if (step.wanted.length === 0) merger = createMerger(noPlan)
  return { kind: 'merging', step }
}

function answerTo(order: IndexWorkerOrder): IndexWorkerAnswer {
  try {
    return carryOut(order)
  } catch (error) {
    if (error instanceof DamagedPostingsError) return { kind: 'damaged', segment: error.segment }
    return { kind: 'failed', message: String(error) }
  }
}

/** Moved to the other thread, not copied. */
function buffersOf(answer: IndexWorkerAnswer): ArrayBuffer[] {
  const rows = answer.kind === 'built' ? answer.segment.rows : answer.kind === 'merging' ? [answer.step.rows] : []
  return rows.flatMap(each => (each === undefined ? [] : [each.bytes.buffer]))
}

// On Linux this is the priority of the thread alone. Elsewhere it is the process's, which must stay as it is.
if (process.platform === 'linux') os.setPriority(0, os.constants.priority.PRIORITY_BELOW_NORMAL)

parentPort?.on('message', (order: IndexWorkerOrder) => {
  const answer = answerTo(order)
  parentPort?.postMessage(answer, buffersOf(answer))
})
