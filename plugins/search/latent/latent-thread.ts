import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { createSerial } from '#core'
import type { AnalyzedPost } from '../inverted-index/text-fields.ts'
import type { LatentAnswer, LatentOrder, StoredModel } from './latent-worker.ts'

/** Compiled, it lies beside this file as JavaScript: the compiler does not rewrite a URL. */
const workerUrl = new URL(`./latent-worker${path.extname(import.meta.url)}`, import.meta.url)

const heapMb = 512
const youngHeapMb = 16

/** Trains a model, and makes the vectors of posts, in a thread of its own. */
export interface LatentThread {
  /** Adds texts to those that a model is trained on. */
  add(posts: readonly AnalyzedPost[]): Promise<void>
  train(): Promise<StoredModel>
  /** The model that vectors are made by from now on. */
  use(model: StoredModel): Promise<void>
  /** The stored vectors of these posts, one after the other. */
  embed(posts: readonly AnalyzedPost[]): Promise<Uint8Array>
  end(): Promise<void>
}

/** It ends when `signal` is aborted; what it was asked for is rejected then. */
export function startLatentThread(signal: AbortSignal): LatentThread {
  const worker = new Worker(workerUrl, {
    name: 'latent semantic analysis',
    // Nothing of this process's environment, which holds keys.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngHeapMb }
  })
  const ended = Promise.withResolvers<never>()
  ended.promise.catch(() => {})
  worker.once('error', ended.reject)
  worker.once('exit', () =>
    ended.reject(signal.aborted ? signal.reason : new Error('The thread of latent semantic analysis has ended.'))
  )
  const stop = () => void worker.terminate()
  signal.addEventListener('abort', stop)
  // An answer names no order: the next one waits for it.
  const serially = createSerial()
  const ask = (order: LatentOrder) =>
    serially(async () => {
      const answered = new Promise<LatentAnswer>(resolve => worker.once('message', resolve))
      worker.postMessage(order)
      const answer = await Promise.race([answered, ended.promise])
      if (answer.kind === 'failed') throw new Error(answer.message)
      return answer
    })
  return {
    add: async posts => void (await ask({ kind: 'add', posts })),
    async train() {
      const answer = await ask({ kind: 'train' })
      return answer.kind === 'trained' ? answer.model : unexpected(answer)
    },
    use: async model => void (await ask({ kind: 'use', model })),
    async embed(posts) {
      const answer = await ask({ kind: 'embed', posts })
      return answer.kind === 'embedded' ? answer.vectors : unexpected(answer)
    },
    async end() {
      signal.removeEventListener('abort', stop)
      await worker.terminate()
    }
  }
}

function unexpected({ kind }: LatentAnswer): never {
  throw new TypeError(`The thread of latent semantic analysis answered ${kind}.`)
}
