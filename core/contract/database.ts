/** Values a statement takes. Objects and arrays bound to a json column are passed through `JSON.stringify` by the caller. */
export type Param = string | number | boolean | null | Date | Buffer | readonly string[] | readonly number[]

export interface StatementOptions {
  /** Aborted, a statement that has not begun never does; on a server, one that runs is cancelled. */
  readonly signal?: AbortSignal
  /** Reads columns, by name, as each row comes: their text, unless it is null, may be too long to be held for all rows. */
  readonly parse?: Readonly<Record<string, (text: string) => unknown>>
}

/** Runs one SQL statement with `$1` parameters and returns its rows. The same text is prepared once per connection. */
export interface Queryable {
  /**
   * Rows come with the same JavaScript types from every driver: `int8` as number, `numeric` as string,
   * `timestamptz` as an ISO 8601 UTC string with milliseconds and `Z`, `date` as `YYYY-MM-DD`, json parsed.
   * @throws UnavailableError when the database cannot be reached, has no connection free in time, or cancelled what only
   * reads because it took too long; other faults are the driver's own error with its SQLSTATE in `code`.
   */
  query<Row extends object = Record<string, unknown>>(
    sql: string,
    params?: readonly Param[],
    options?: StatementOptions
  ): Promise<Row[]>
  /** Runs several statements without parameters (simple protocol); returns the rows of all of them, in order. */
  script<Row extends object = Record<string, unknown>>(sql: string): Promise<Row[]>
}

/** A transaction in progress. Inside `db.transaction` only this handle may be used: the outer one would escape the transaction. */
export interface Tx extends Queryable {
  /** Runs `effect` once the transaction has committed, before `transaction()` resolves; never after a rollback. */
  afterCommit(effect: () => void): void
}

/** Called with the payload of a notification. */
export type OnNotify = (payload: string) => void

/** A live LISTEN. */
export interface Listener {
  /**
   * True while nothing committed more than a second ago can have been missed. The Postgres driver proves it with a
   * round trip on the listening connection twice a second: the server sends pending notifications before it answers.
   */
  isCurrent(): boolean
  close(): Promise<void>
}

/** PostgreSQL, behind one small interface: a server's pool, or the embedded PGlite. */
export interface Db extends Queryable {
  readonly kind: 'postgres' | 'pglite'
  /** Commits when `work` resolves, rolls back when it throws. Not nestable. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Subscribes to NOTIFY on `channel`. `onGap` is called whenever notifications may have been missed
   * (after a reconnect): drop what was derived from the database and read it again.
   */
  listen(channel: string, onNotify: OnNotify, onGap: () => void): Promise<Listener>
  /** Connections open and idle, for the health payload. */
  pool(): { size: number; idle: number }
  close(): Promise<void>
}
