import { createBatcher } from './batcher.ts'

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
  /** Statements under way at most; default: 2. */
  maxConcurrent?: number
  /** Keys in one statement at most; default: 25. */
  maxKeys?: number
}

/**
 * A key asked for while nothing is under way is read at once. What is asked for while statements are under way is read
 * by the next one together: under load a statement, its way to the server and its plan serve many readers.
 */
export function createLoader<Row>({ read, keyOf, maxConcurrent = 2, maxKeys = 25 }: LoaderOptions<Row>): Loader<Row> {
  const { add, addAll } = createBatcher<string, Row | undefined>({
    keyOf: key => key,
    maxConcurrent,
    maxItems: maxKeys,
    run: async keys => {
      const rows = new Map((await read(keys)).map(row => [keyOf(row), row]))
      return keys.map(key => rows.get(key))
    }
  })
  return { load: add, loadMany: addAll }
}
