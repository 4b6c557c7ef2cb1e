/** Files written or deleted at once: what an object storage and a disk both take well. */
export const filesAtOnce = 32

/**
 * Works through all items, some at once, in their order. The first error ends it, once those under way have ended. `lane`: no
 * other item under way has this number.
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

/** What all of it answers, once all has ended. @throws the error of the first that failed */
export async function allEnded<T>(works: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(works)
  return Promise.all(works)
}
