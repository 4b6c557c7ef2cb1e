/** Chooses how much a statement may read in the time it has, from how long earlier ones took. */
export interface BatchSizer {
  /** So many things are read in so many milliseconds; one at least. */
  size(ms: number): number
  /** Reads so many. */
  measure<T>(size: number, read: () => Promise<T>): Promise<T>
}

/** Of the exponential moving average: the machine may become busier, or the lists longer. */
const smoothing = 0.3

/** `usualMs`: what one takes before anything was read. */
export function createBatchSizer(usualMs = 0.5): BatchSizer {
  let msOfOne = usualMs
  return {
    size: ms => Math.max(1, Math.floor(Math.min(ms / msOfOne, Number.MAX_SAFE_INTEGER))),
    async measure(size, read) {
      const begin = performance.now()
      const found = await read()
      msOfOne += smoothing * ((performance.now() - begin) / size - msOfOne)
      return found
    }
  }
}
