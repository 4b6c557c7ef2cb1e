interface BatchLimits<T> {
  maxItems?: number
  /** Of the sum of `sizeOf`. An item that is larger is a batch by itself. */
  maxSize?: number
  sizeOf?(item: T): number
}

/** Cuts items into batches, in their order. */
export function* batched<T>(
  items: Iterable<T>,
  { maxItems = Number.POSITIVE_INFINITY, maxSize = Number.POSITIVE_INFINITY, sizeOf = () => 0 }: BatchLimits<T>
): Generator<T[]> {
  let batch: T[] = []
  let total = 0
  for (const item of items) {
    const size = sizeOf(item)
    if (batch.length > 0 && (batch.length >= maxItems || total + size > maxSize)) {
      yield batch
      batch = []
      total = 0
    }
    batch.push(item)
    total += size
  }
  if (batch.length > 0) yield batch
}
