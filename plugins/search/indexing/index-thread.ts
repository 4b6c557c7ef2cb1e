import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { PostingRows } from '../inverted-index/posting-rows.ts'
import type { AnalyzedPost } from '../inverted-index/text-fields.ts'
import type { BuiltSegment } from './build.ts'
import type { IndexWorkerAnswer, IndexWorkerOrder } from './index-worker.ts'
import type { Liveness, TermGroup } from './merge.ts'

/** Compiled, it lies beside this file as JavaScript: the compiler does not rewrite a URL. */
const workerUrl = new URL(`./index-worker${path.extname(import.meta.url)}`, import.meta.url)

const heapMb = 256
const youngHeapMb = 16

/** Builds and merges segments in a thread of its own, one thing after the other. */
export interface IndexThread {
  build(posts: readonly AnalyzedPost[]): Promise<BuiltSegment>
  beginMerge(liveness: Liveness): Promise<void>
  merge(groups: readonly TermGroup[]): Promise<PostingRows>
  end(): Promise<void>
}

/** It ends when `signal` is aborted; what it was asked for is rejected then. */
export function startIndexThread(signal: AbortSignal): IndexThread {
  const worker = new Worker(workerUrl, {
    name: 'search index',
    // Nothing of this process's environment, which holds keys.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngHeapMb }
  })
  const stop = () => void worker.terminate()
  signal.addEventListener('abort', stop)
  const ask = (order: IndexWorkerOrder) =>
    new Promise<IndexWorkerAnswer>((resolve, reject) => {
      const onExit = () =>
        reject(signal.aborted ? signal.reason : new Error('The thread of the search index has ended.'))
      worker.once('error', reject)
      worker.once('exit', onExit)
      worker.once('message', (answer: IndexWorkerAnswer) => {
        worker.off('error', reject)
        worker.off('exit', onExit)
        resolve(answer)
      })
      worker.postMessage(order)
    })
  return {
    async build(posts) {
      const answer = await ask({ kind: 'build', posts })
      return answer.kind === 'built' ? answer.segment : fail(answer)
    },
    async beginMerge(liveness) {
      const answer = await ask({ kind: 'begin-merge', liveness })
      if (answer.kind !== 'merging') fail(answer)
    },
    async merge(groups) {
      const answer = await ask({ kind: 'merge', groups })
      return answer.kind === 'merged' ? answer.rows : fail(answer)
    },
    end: async () => {
      signal.removeEventListener('abort', stop)
      await worker.terminate()
    }
  }
}

function fail(answer: IndexWorkerAnswer): never {
  throw new Error(answer.kind === 'failed' ? answer.message : `The thread of the search index answered ${answer.kind}.`)
}
