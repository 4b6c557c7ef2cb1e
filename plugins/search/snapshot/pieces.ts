/** How much a statement may read, as those before it took. */
export interface Pieces {
  /** So many things are read in so many milliseconds; one at least. */
  size(ms: number): number
  /** Reads so many. */
  measure<T>(size: number, read: () => Promise<T>): Promise<T>
}

/** How soon what a statement took is forgotten: the machine may be busier, or the lists longer. */
const weightOfLast = 0.3

/** `usualMs`: what one takes before anything was read. */
export function createPieces(usualMs = 0.5): Pieces {
  let msOfOne = usualMs
  return {
    size: ms => Math.max(1, Math.floor(Math.min(ms / msOfOne, Number.MAX_SAFE_INTEGER))),
    async measure(size, read) {
      const begin = performance.now()
      const found = await read()
      msOfOne += weightOfLast * ((performance.now() - begin) / size - msOfOne)
      return found
    }
  }
}
