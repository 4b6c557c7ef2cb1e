import { moduleAt } from '#child-process/fork'
import type { PostingRows } from '../inverted-index/posting-rows.ts'
import type { AnalyzedPost } from '../inverted-index/text-fields.ts'
import { startSearchWork } from '../search-work.ts'
import type { GrownSegment, IndexWorkAnswer, IndexWorkRequest } from './index-main.ts'
import type { MergePlan, MergeStep } from './merge.ts'
import { DamagedPostingsError, type SegmentPage } from './merge-cursor.ts'

const main = moduleAt('./index-main', import.meta.url)

const heapMb = 256

/** Builds and merges segments in a process of its own, one thing after the other. */
export interface IndexProcess {
  /** Adds texts to the segment that grows, in the order of their numbers. */
  add(posts: readonly AnalyzedPost[]): Promise<GrownSegment>
  /** Ends the segment that grows; the next one begins. All of its rows have to be asked for before the next call. */
  takeSegment(): Promise<void>
  /** The next rows of the segment that was taken; undefined after the last. */
  nextRows(): Promise<PostingRows | undefined>
  beginMerge(plan: MergePlan): Promise<MergeStep>
  /** Goes on with the pages that the step before wanted. @throws DamagedPostingsError */
  merge(pages: readonly SegmentPage[]): Promise<MergeStep>
  end(): void
}

/** It ends when `signal` is aborted; what it was asked for is rejected then. */
export function startIndexProcess(signal: AbortSignal): IndexProcess {
  const { ask, end } = startSearchWork<IndexWorkRequest, IndexWorkAnswer>(main, { heapMb, signal })
  const askToMerge = async (request: IndexWorkRequest) => {
    const answer = await ask(request)
    if (answer.kind === 'damaged') throw new DamagedPostingsError(answer.segment)
    return answer.kind === 'merging' ? answer.step : unexpected(answer)
  }
  return {
    async add(posts) {
      const answer = await ask({ kind: 'add', posts })
      return answer.kind === 'added' ? answer.added : unexpected(answer)
    },
    takeSegment: async () => void (await ask({ kind: 'take-segment' })),
    async nextRows() {
      const answer = await ask({ kind: 'next-rows' })
      return answer.kind === 'rows' ? answer.rows : unexpected(answer)
    },
    beginMerge: plan => askToMerge({ kind: 'begin-merge', plan }),
    merge: pages => askToMerge({ kind: 'merge', pages }),
    end
  }
}

function unexpected({ kind }: IndexWorkAnswer): never {
  throw new TypeError(`The process of the search index answered ${kind}.`)
}
