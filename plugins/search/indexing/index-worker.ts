import os from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { PostingRows } from '../inverted-index/posting-rows.ts'
import type { AnalyzedPost } from '../inverted-index/text-fields.ts'
import { type BuiltSegment, buildSegment } from './build.ts'
import { DamagedPostingsError, type Liveness, mergeGroups, type TermGroup } from './merge.ts'

export type IndexWorkerOrder =
  | { kind: 'build'; posts: readonly AnalyzedPost[] }
  | { kind: 'begin-merge'; liveness: Liveness }
  | { kind: 'merge'; groups: readonly TermGroup[] }
export type IndexWorkerAnswer =
  | { kind: 'built'; segment: BuiltSegment }
  | { kind: 'merging' }
  | { kind: 'merged'; rows: PostingRows }
  | { kind: 'failed'; message: string; damagedSegment: number | undefined }

let liveness: Liveness = { generations: new Int32Array(0), ranges: [] }

function carryOut(order: IndexWorkerOrder): IndexWorkerAnswer {
  if (order.kind === 'build') return { kind: 'built', segment: buildSegment(order.posts) }
  if (order.kind === 'merge') return { kind: 'merged', rows: mergeGroups(order.groups, liveness) }
  liveness = order.liveness
  return { kind: 'merging' }
}

function answerTo(order: IndexWorkerOrder): IndexWorkerAnswer {
  try {
    return carryOut(order)
  } catch (error) {
    const damagedSegment = error instanceof DamagedPostingsError ? error.segment : undefined
    return { kind: 'failed', message: String(error), damagedSegment }
  }
}

// On Linux this is the priority of the thread alone. Elsewhere it is the process's, which must stay as it is.
if (process.platform === 'linux') os.setPriority(0, os.constants.priority.PRIORITY_BELOW_NORMAL)

parentPort?.on('message', (order: IndexWorkerOrder) => parentPort?.postMessage(answerTo(order)))
