/** Files written or deleted at once. An object storage and a disk both take so many well. */
export const filesAtOnce = 32

/** Batches of posts of a step that are at work, for memory: while one is read, others are coloured, rendered and written. */
export const postBatchesAtOnce = 3

/** A semaphore: of the work that waits, that with the lowest `rank` is next. */
export type PrioritySemaphore = <T>(rank: number, work: () => Promise<T>) => Promise<T>

/** Lets `count` pieces of work run at a time, whoever asks. */
export function createPrioritySemaphore(count: number): PrioritySemaphore {
  const waiting: { rank: number; begin(): void }[] = []
  let free = count
  const take = async (rank: number) => {
    if (free > 0) free -= 1
    else await new Promise<void>(begin => waiting.push({ rank, begin }))
  }
  const giveBack = () => {
    const next = waiting.sort((a, b) => a.rank - b.rank).shift()
    if (next === undefined) free += 1
    else next.begin()
  }
  return async (rank, work) => {
    await take(rank)
    try {
      return await work()
    } finally {
      giveBack()
    }
  }
}
