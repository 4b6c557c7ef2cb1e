import os from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { PostingRows } from '../inverted-index/posting-rows.ts'
import type { AnalyzedPost } from '../inverted-index/text-fields.ts'
import { type BuiltSegment, buildSegment } from './build.ts'
import { type Liveness, mergeGroups, type TermGroup } from './merge.ts'

export type IndexWorkerOrder =
  | { kind: 'build'; posts: readonly AnalyzedPost[] }
  | { kind: 'begin-merge'; liveness: Liveness }
  | { kind: 'merge'; groups: readonly TermGroup[] }
export type IndexWorkerAnswer =
  | { kind: 'built'; segment: BuiltSegment }
  | { kind: 'merging' }
  | { kind: 'merged'; rows: PostingRows }
  | { kind: 'failed'; message: string }

let liveness: Liveness = { generations: new Int32Array(0), ranges: [] }

/** Words that were answered before: texts share most of theirs, and each answer is copied. */
const answered = new Set<string>()
const maxAnswered = 500_000

function build(posts: readonly AnalyzedPost[]): BuiltSegment {
  const segment = buildSegment(posts)
  const words = segment.words.filter(({ word, term }) => !answered.has(`${word} ${term}`))
  if (answered.size > maxAnswered) answered.clear()
  for (const { word, term } of words) answered.add(`${word} ${term}`)
  return { ...segment, words }
}

function carryOut(order: IndexWorkerOrder): IndexWorkerAnswer {
  if (order.kind === 'build') return { kind: 'built', segment: build(order.posts) }
  if (order.kind === 'merge') return { kind: 'merged', rows: mergeGroups(order.groups, liveness) }
  liveness = order.liveness
  return { kind: 'merging' }
}

function answerTo(order: IndexWorkerOrder): IndexWorkerAnswer {
  try {
    return carryOut(order)
  } catch (error) {
    return { kind: 'failed', message: String(error) }
  }
}

// On Linux this is the priority of the thread alone. Elsewhere it is the process's, which must stay as it is.
if (process.platform === 'linux') os.setPriority(0, os.constants.priority.PRIORITY_BELOW_NORMAL)

parentPort?.on('message', (order: IndexWorkerOrder) => parentPort?.postMessage(answerTo(order)))
