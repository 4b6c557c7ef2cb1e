/** Reads rows by their keys for many callers with few statements. */
export interface Loader<Row> {
  /** The row with this key as it is now or later, never as it was before the call; undefined when there is none. */
  load(key: string): Promise<Row | undefined>
  /** The same for many, in their order. */
  loadMany(keys: readonly string[]): Promise<(Row | undefined)[]>
}

interface LoaderOptions<Row> {
  /** Reads the rows with these keys, each given once, in any order. */
  read(keys: readonly string[]): Promise<readonly Row[]>
  keyOf(row: Row): string
  /** Statements under way at most: few make the next one large, several keep a slow one from holding up the rest. */
  maxConcurrent?: number
  /** Keys in one statement at most. */
  maxKeys?: number
}

interface PendingRead<Row> {
  readonly found: Promise<Row | undefined>
  resolve(row: Row | undefined): void
  reject(error: unknown): void
}

/**
 * A key asked for while nothing is under way is read at once. What is asked for while statements are under way is read
 * by the next one together: under load a statement, its way to the server and its plan serve many readers.
 */
export function createLoader<Row>({ read, keyOf, maxConcurrent = 2, maxKeys = 25 }: LoaderOptions<Row>): Loader<Row> {
  const waiting = createWaitingReads<Row>()
  let underWay = 0
  const readNext = async () => {
    const asked = waiting.take(maxKeys)
    underWay += 1
    try {
      const rows = await read([...asked.keys()])
      for (const row of rows) asked.get(keyOf(row))?.resolve(row)
      for (const { resolve } of asked.values()) resolve(undefined)
    } catch (error) {
      for (const { reject } of asked.values()) reject(error)
    } finally {
      underWay -= 1
      if (!waiting.isEmpty()) void readNext()
    }
  }
  const start = () => {
    while (underWay < maxConcurrent && !waiting.isEmpty()) void readNext()
  }
  return {
    load(key) {
      const found = waiting.ask(key)
      start()
      return found
    },
    loadMany(keys) {
      const found = keys.map(waiting.ask)
      start()
      return Promise.all(found)
    }
  }
}

/** Keys that no statement reads yet, in the order in which they were asked for. */
function createWaitingReads<Row>() {
  let reads = new Map<string, PendingRead<Row>>()
  return {
    isEmpty: () => reads.size === 0,
    ask(key: string): Promise<Row | undefined> {
      const known = reads.get(key)
      if (known !== undefined) return known.found
      const { promise, resolve, reject } = Promise.withResolvers<Row | undefined>()
      reads.set(key, { found: promise, resolve, reject })
      return promise
    },
    take(max: number): Map<string, PendingRead<Row>> {
      const taken = reads.size <= max ? reads : new Map([...reads].slice(0, max))
      if (taken === reads) reads = new Map()
      else for (const key of taken.keys()) reads.delete(key)
      return taken
    }
  }
}
