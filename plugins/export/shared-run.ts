/** Calls during a run share the next run, which starts after all of them. */
export function createSharedRun<T>(work: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  return () => {
    next ??= last.then(() => {
      next = undefined
      const run = work()
      last = run.catch(() => {})
      return run
    })
    return next
  }
}
