/** Files written or deleted at once. An object storage and a disk both take so many well. */
export const filesAtOnce = 32

/** Batches of posts of a step that are at work, for memory: while one is read, another is coloured, rendered and written. */
export const postBatchesAtOnce = 2

/**
 * Does the work for all items in their order, `atOnce` of them at a time. After an error no other item is begun, and it is thrown
 * once those under way have ended. `lane`: a number below `atOnce` that no other item under way has.
 */
export async function eachAtOnce<T>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T, lane: number) => Promise<void>,
  atOnce = filesAtOnce
): Promise<void> {
  const waiting = items.values()
  let failure: { error: unknown } | undefined
  const run = async (lane: number) => {
    for (const item of waiting) {
      if (failure !== undefined) return
      try {
        signal.throwIfAborted()
        await work(item, lane)
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, (_, lane) => run(lane)))
  if (failure !== undefined) throw failure.error
}

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

/** The results, once all promises have settled. @throws the error of the first in their order that failed */
export async function allEnded<T>(works: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(works)
  return Promise.all(works)
}
