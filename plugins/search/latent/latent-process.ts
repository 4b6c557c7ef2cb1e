import { moduleAt } from '#child-process/fork'
import type { AnalyzedPost } from '../inverted-index/text-fields.ts'
import { startSearchWork } from '../search-work.ts'
import type { LatentAnswer, LatentRequest, ReadModel, StoredModel } from './latent-main.ts'

const main = moduleAt('./latent-main', import.meta.url)

const heapMb = 512

/** Trains a model, and makes the vectors of posts, in a process of its own. */
export interface LatentProcess {
  /** Adds texts to those that a model is trained on. */
  add(posts: readonly AnalyzedPost[]): Promise<void>
  train(): Promise<StoredModel>
  /** The model that vectors are made by from now on. @returns false when a vector of it is damaged or missing */
  use(model: ReadModel): Promise<boolean>
  /** The stored vectors of these posts, one after the other. */
  embed(posts: readonly AnalyzedPost[]): Promise<Uint8Array>
  end(): void
}

/** It ends when `signal` is aborted; what it was asked for is rejected then. */
export function startLatentProcess(signal: AbortSignal): LatentProcess {
  const { ask, end } = startSearchWork<LatentRequest, LatentAnswer>(main, { heapMb, signal })
  return {
    add: async posts => void (await ask({ kind: 'add', posts })),
    async train() {
      const answer = await ask({ kind: 'train' })
      return answer.kind === 'trained' ? answer.model : unexpected(answer)
    },
    use: async model => (await ask({ kind: 'use', model })).kind === 'done',
    async embed(posts) {
      const answer = await ask({ kind: 'embed', posts })
      return answer.kind === 'embedded' ? answer.vectors : unexpected(answer)
    },
    end
  }
}

function unexpected({ kind }: LatentAnswer): never {
  throw new TypeError(`The process of latent semantic analysis answered ${kind}.`)
}
