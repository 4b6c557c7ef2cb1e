interface ForEachOptions {
  /** Items whose work runs at a time. */
  concurrency: number
  /** Aborted, no other item is begun. */
  signal?: AbortSignal
}

/**
 * Does the work for all items in their order, `concurrency` of them at a time. `lane`: a number below `concurrency` that no other
 * item under way has. After an error no other item is begun, the source is closed, and the error is thrown once the work under way
 * has ended: nothing goes on behind the caller's back.
 * @throws what the work or the source threw first; the reason of an aborted signal
 */
export async function forEachAsync<T>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T, lane: number) => Promise<unknown>,
  { concurrency, signal }: ForEachOptions
): Promise<void> {
  const source: Iterator<T> | AsyncIterator<T> =
    Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  let failure: { error: unknown } | undefined
  let hasEnded = false
  const runLane = async (lane: number) => {
    try {
      while (failure === undefined && !hasEnded) {
        const asked = source.next()
        const next = asked instanceof Promise ? await asked : asked
        if (next.done === true) hasEnded = true
        // While the source was asked, others may have failed.
        else if (failure === undefined) {
          signal?.throwIfAborted()
          await work(next.value, lane)
        }
      }
    } catch (error) {
      failure ??= { error }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, (_, lane) => runLane(lane)))
  if (failure === undefined) return
  const close = async () => source.return?.()
  await close().catch(() => {})
  throw failure.error
}
