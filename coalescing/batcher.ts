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

interface Pending<Item, Result> extends PromiseWithResolvers<Result> {
  readonly item: Item
}
type Waiting<Item, Result> = Map<string | symbol, Pending<Item, Result>>

/** An item that comes while little is under way is handled at once. Those that come meanwhile go into the next batch together. */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const { maxConcurrent = 1 } = options
  const waiting: Waiting<Item, Result> = new Map()
  let underWay = 0
  const runNext = async () => {
    underWay += 1
    await runBatch(options, takeBatch(options, waiting))
    underWay -= 1
    start()
  }
  const start = () => {
    while (underWay < maxConcurrent && waiting.size > 0) void runNext()
  }
  const enqueue = (item: Item): Promise<Result> => {
    const key = options.keyOf?.(item) ?? Symbol()
    const known = waiting.get(key)
    if (known !== undefined) return known.promise
    const pending = { item, ...Promise.withResolvers<Result>() }
    waiting.set(key, pending)
    return pending.promise
  }
  return {
    add(item) {
      const result = enqueue(item)
      start()
      return result
    },
    addAll(items) {
      const results = items.map(enqueue)
      start()
      return Promise.all(results)
    }
  }
}

function takeBatch<Item, Result>(
  { maxItems = Number.POSITIVE_INFINITY, sizeOf, maxSize = Number.POSITIVE_INFINITY }: BatcherOptions<Item, Result>,
  waiting: Waiting<Item, Result>
): Pending<Item, Result>[] {
  const batch: Pending<Item, Result>[] = []
  let size = 0
  for (const [key, pending] of waiting) {
    size += sizeOf?.(pending.item) ?? 0
    if (batch.length > 0 && (batch.length >= maxItems || size > maxSize)) break
    batch.push(pending)
    waiting.delete(key)
  }
  return batch
}

/** Never rejects: the callers hear of errors. */
async function runBatch<Item, Result>(
  options: BatcherOptions<Item, Result>,
  batch: readonly Pending<Item, Result>[]
): Promise<void> {
  try {
    const results = await options.run(batch.map(({ item }) => item))
    for (const [index, result] of results.entries()) batch[index]?.resolve(result)
    for (const { reject } of batch) reject(new TypeError('A batch answered fewer results than it has items.'))
  } catch (error) {
    if (batch.length > 1 && options.isRetriedAlone?.(error)) for (const one of batch) await runBatch(options, [one])
    else for (const { reject } of batch) reject(error)
  }
}
