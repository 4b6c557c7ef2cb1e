/** Reads rows by their keys for many callers with few statements. */
export interface Loader<Row> {
  /** The row with this key as it is now or later, never as it was before the call; undefined when there is none. */
  load(key: string): Promise<Row | undefined>
  /** The same for many, in their order. */
  loadMany(keys: readonly string[]): Promise<(Row | undefined)[]>
}

export interface LoaderOptions<Row> {
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
  let waiting = new Map<string, PendingRead<Row>>()
  let underWay = 0
  const readNext = async () => {
    const asked = take()
    underWay += 1
    try {
      const rows = await read([...asked.keys()])
      for (const row of rows) asked.get(keyOf(row))?.resolve(row)
      for (const { resolve } of asked.values()) resolve(undefined)
    } catch (error) {
      for (const { reject } of asked.values()) reject(error)
    } finally {
      underWay -= 1
      if (waiting.size > 0) void readNext()
    }
  }
  const take = () => {
    if (waiting.size <= maxKeys) {
      const all = waiting
      waiting = new Map()
      return all
    }
    const some = new Map([...waiting].slice(0, maxKeys))
    for (const key of some.keys()) waiting.delete(key)
    return some
  }
  const ask = (key: string) => {
    const known = waiting.get(key)
    if (known !== undefined) return known.found
    const { promise, resolve, reject } = Promise.withResolvers<Row | undefined>()
    waiting.set(key, { found: promise, resolve, reject })
    return promise
  }
  const start = () => {
    while (underWay < maxConcurrent && waiting.size > 0) void readNext()
  }
  return {
    load(key) {
      const found = ask(key)
      start()
      return found
    },
    loadMany(keys) {
      const found = keys.map(ask)
      start()
      return Promise.all(found)
    }
  }
}
