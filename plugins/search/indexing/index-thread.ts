import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { createSerial } from '#core'
import type { PostingRows } from '../inverted-index/posting-rows.ts'
import type { AnalyzedPost } from '../inverted-index/text-fields.ts'
import type { GrownSegment, IndexWorkerAnswer, IndexWorkerOrder } from './index-worker.ts'
import type { MergePlan, MergeStep } from './merge.ts'
import { DamagedPostingsError, type SegmentPage } from './merge-cursor.ts'

/** Compiled, it lies beside this file as JavaScript: the compiler does not rewrite a URL. */
const workerUrl = new URL(`./index-worker${path.extname(import.meta.url)}`, import.meta.url)

const heapMb = 256
const youngHeapMb = 16
/** Half of the young heap from the beginning: the process may not let it grow, and the texts of an order have to fit. */
const firstSemiSpaceMb = 4

/** Builds and merges segments in a thread of its own, one thing after the other. */
export interface IndexThread {
  /** Adds texts to the segment that grows, in the order of their numbers. */
  add(posts: readonly AnalyzedPost[]): Promise<GrownSegment>
  /** The segment of the texts so far; the next one begins. */
  takeSegment(): Promise<PostingRows[]>
  beginMerge(plan: MergePlan): Promise<MergeStep>
  /** Goes on with the pages that the step before wanted; their bytes are moved there. @throws DamagedPostingsError */
  merge(pages: readonly SegmentPage[]): Promise<MergeStep>
  end(): Promise<void>
}

/** It ends when `signal` is aborted; what it was asked for is rejected then. */
export function startIndexThread(signal: AbortSignal): IndexThread {
  setFlagsFromString(`--min-semi-space-size=${firstSemiSpaceMb}`)
  const worker = new Worker(workerUrl, {
    name: 'search index',
    // Nothing of this process's environment, which holds keys.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngHeapMb }
  })
  // V8 reads it when the thread starts.
  worker.once('online', () => setFlagsFromString('--min-semi-space-size=0'))
  const stop = () => void worker.terminate()
  signal.addEventListener('abort', stop)
  let hasEnded = false
  worker.once('exit', () => {
    hasEnded = true
  })
  const send = (order: IndexWorkerOrder) =>
    new Promise<IndexWorkerAnswer>((resolve, reject) => {
      const onExit = () =>
        reject(signal.aborted ? signal.reason : new Error('The thread of the search index has ended.'))
      if (hasEnded) return onExit()
      worker.once('error', reject)
      worker.once('exit', onExit)
      worker.once('message', (answer: IndexWorkerAnswer) => {
        worker.off('error', reject)
        worker.off('exit', onExit)
        resolve(answer)
      })
      worker.postMessage(order, buffersOf(order))
    })
  // An answer names no order: the next one waits for it.
  const serially = createSerial()
  const ask = (order: IndexWorkerOrder) => serially(() => send(order))
  const askToMerge = async (order: IndexWorkerOrder) => {
    const answer = await ask(order)
    if (answer.kind === 'damaged') throw new DamagedPostingsError(answer.segment)
    return answer.kind === 'merging' ? answer.step : fail(answer)
  }
  return {
    async add(posts) {
      const answer = await ask({ kind: 'add', posts })
      return answer.kind === 'added' ? answer.added : fail(answer)
    },
    async takeSegment() {
      const answer = await ask({ kind: 'take-segment' })
      return answer.kind === 'taken' ? answer.rows : fail(answer)
    },
    beginMerge: plan => askToMerge({ kind: 'begin-merge', plan }),
    merge: pages => askToMerge({ kind: 'merge', pages }),
    end: async () => {
      signal.removeEventListener('abort', stop)
      await worker.terminate()
    }
  }
}

/** Moved, not copied. */
const buffersOf = (order: IndexWorkerOrder): ArrayBuffer[] =>
  order.kind === 'merge' ? order.pages.flatMap(({ rows }) => (rows === undefined ? [] : [rows.bytes.buffer])) : []

function fail(answer: IndexWorkerAnswer): never {
  throw new Error(answer.kind === 'failed' ? answer.message : `The thread of the search index answered ${answer.kind}.`)
}
