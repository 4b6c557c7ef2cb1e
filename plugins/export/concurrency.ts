/** Files written or deleted at once. An object storage and a disk both take so many well. */
export const filesAtOnce = 32

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

/** The results, once all promises have settled. @throws the error of the first in their order that failed */
export async function allEnded<T>(works: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(works)
  return Promise.all(works)
}
