/** Takes single items of many callers, and hands them on in batches. */
export interface Batcher<Item, Result> {
  /** The result for this item, of a batch that begins now or later. */
  add(item: Item): Promise<Result>
  /** The same for several, in their order, by as few batches as they fit in. */
  addAll(items: readonly Item[]): Promise<Result[]>
}

interface BatcherOptions<Item, Result> {
  /** Handles a batch of at least one. Its results are in the order of the items. Its error is that of each of them. */
  run(items: readonly Item[]): Promise<readonly Result[]>
  /** Items of one key that wait share a place and its result; default: each has its own. */
  keyOf?(item: Item): string
  /** Batches under way at most: few make the next one large, several keep a slow one from holding up the rest. */
  maxConcurrent?: number
  /** Items in one batch at most. */
  maxItems?: number
  /** The size of an item. Together those of a batch are at most `maxSize`; one that is larger goes alone. */
  sizeOf?(item: Item): number
  maxSize?: number
  /** Whether each item of a batch that failed so is tried alone, so that one takes no other with it; default: none is. */
  isRetriedAlone?(error: unknown): boolean
}

interface Pending<Item, Result> {
  readonly item: Item
  readonly result: Promise<Result>
  resolve(result: Result): void
  reject(error: unknown): void
}

/** An item that comes while little is under way is handled at once. Those that come meanwhile go into the next batch together. */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const { maxConcurrent = 1 } = options
  const queue = createQueue(options)
  let underWay = 0
  const runNext = async () => {
    underWay += 1
    await runBatch(options, queue.takeBatch())
    underWay -= 1
    start()
  }
  const start = () => {
    while (underWay < maxConcurrent && queue.size() > 0) void runNext()
  }
  return {
    add(item) {
      const result = queue.enqueue(item)
      start()
      return result
    },
    addAll(items) {
      const results = items.map(queue.enqueue)
      start()
      return Promise.all(results)
    }
  }
}

/** Items that no batch has yet, in the order in which they came. */
function createQueue<Item, Result>({ keyOf, maxItems, sizeOf, maxSize }: BatcherOptions<Item, Result>) {
  let waiting = new Map<string | number, Pending<Item, Result>>()
  let enqueued = 0
  /** Most often all of them fit. */
  const takeAll = () => {
    const all = [...waiting.values()]
    waiting = new Map()
    return all
  }
  return {
    size: () => waiting.size,
    enqueue(item: Item): Promise<Result> {
      const key = keyOf === undefined ? ++enqueued : keyOf(item)
      const known = waiting.get(key)
      if (known !== undefined) return known.result
      const { promise: result, resolve, reject } = Promise.withResolvers<Result>()
      waiting.set(key, { item, result, resolve, reject })
      return result
    },
    takeBatch(): Pending<Item, Result>[] {
      if (sizeOf === undefined && waiting.size <= (maxItems ?? waiting.size)) return takeAll()
      const batch: Pending<Item, Result>[] = []
      let size = 0
      for (const [key, pending] of waiting) {
        size += sizeOf?.(pending.item) ?? 0
        const isFull = batch.length === maxItems || (maxSize !== undefined && size > maxSize)
        if (isFull && batch.length > 0) break
        batch.push(pending)
        waiting.delete(key)
      }
      return batch
    }
  }
}

/** Never rejects: the callers hear of errors. */
async function runBatch<Item, Result>(
  options: BatcherOptions<Item, Result>,
  batch: readonly Pending<Item, Result>[]
): Promise<void> {
  try {
    const results = await options.run(batch.map(({ item }) => item))
    if (results.length !== batch.length)
      throw new TypeError(`A batch of ${batch.length} items answered ${results.length} results.`)
    for (const [at, result] of results.entries()) batch[at]?.resolve(result)
  } catch (error) {
    if (batch.length > 1 && options.isRetriedAlone?.(error)) for (const one of batch) await runBatch(options, [one])
    else for (const { reject } of batch) reject(error)
  }
}
