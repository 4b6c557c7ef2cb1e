import pg, { type ClientBase, type QueryArrayResult, type QueryConfig, type QueryResult } from 'pg'
import type { Param, Queryable, StatementOptions, Tx } from '../../../core/contract/database.ts'
import { UnavailableError } from '../../../core/contract/errors.ts'
import { runBeforeCommit } from '../../../core/db/before-commit.ts'
import { createSerial } from '../../../core/db/serial.ts'
import type { Log } from '../../../core/log.ts'
import { errorCode, isObject } from '../../../core/unknown.ts'
import { toUnavailable } from '../faults.ts'
import type { IdleWatch } from './idle-watch.ts'
import type { StatementNames } from './statement-names.ts'

/** What the drivers need of the log. */
export type DbLog = Pick<Log, 'info' | 'warn' | 'error'>

type AnyQueryResult = QueryResult | QueryArrayResult

/**
 * Settings every session starts with. They are set, not passed at start-up, so that a pooler in front of the server
 * does not refuse them. Timestamps are parsed from the text that UTC and ISO give.
 */
export const sessionSettings = `set timezone to 'UTC'; set datestyle to 'ISO'; set intervalstyle to 'iso_8601';
  set client_encoding to 'UTF8'`

type Row = Record<string, unknown>

/** A statement, and how its columns are read. */
interface Statement {
  text: string
  values?: readonly Param[] | undefined
  parse?: StatementOptions['parse']
}

/** Runs one statement, prepared under its name, on a client that nobody else uses. */
async function runStatement(
  client: ClientBase,
  names: StatementNames,
  { text, values = [], parse }: Statement
): Promise<Row[]> {
  try {
    const statement = { name: names.nameOf(text), text, values: [...values] }
    return parse === undefined ? (await ask(client, statement)).rows : await askParsing(client, statement, parse)
  } catch (error) {
    if (isStalePlan(error)) names.rename(text)
    // It was made where the answer was read.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

/**
 * With a promise of ours. Through pg's own, what is answered to one statement hangs on what was answered before: V8's collections
 * of young objects free no row, and the heap grows until a whole one.
 */
function ask(client: ClientBase, statement: QueryConfig): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    client.query(statement, (error: Error | null, result) => {
      if (error) reject(error)
      else resolve(result)
    })
  })
}

/** The same with columns that are read row by row. What a parser throws is thrown when the last row has come. */
function askParsing(
  client: ClientBase,
  statement: QueryConfig,
  parse: NonNullable<Statement['parse']>
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const rows: Row[] = []
    let failure: unknown
    client
      .query(new pg.Query<Row>(statement))
      .on('row', row => {
        try {
          rows.push(parsed(row, parse))
        } catch (error) {
          failure ??= error
        }
      })
      .on('error', reject)
      .on('end', () => (failure === undefined ? resolve(rows) : reject(failure)))
  })
}

function parsed(row: Row, parse: NonNullable<Statement['parse']>): Row {
  for (const [column, read] of Object.entries(parse)) {
    const text = row[column]
    try {
      if (typeof text === 'string') row[column] = read(text)
    } catch (error) {
      throw new TypeError(`What reads the column ${column} failed: its cause says why.`, { cause: error })
    }
  }
  return row
}

/** A migration changed a type in the plan's result, or the session's prepared statements were dropped. */
function isStalePlan(error: unknown): boolean {
  const code = errorCode(error)
  // The server names the function that found the fault. Its message is in the server's language.
  const routine = isObject(error) ? error.routine : undefined
  return code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery')
}

/** Runs a script over the simple protocol. */
export async function runScript(client: ClientBase, text: string): Promise<Row[]> {
  const answer: AnyQueryResult | AnyQueryResult[] = await client.query(text)
  const answers = Array.isArray(answer) ? answer : [answer]
  return answers.flatMap(({ rows }) => rows)
}

/** Runs one statement; once more under a fresh name when its plan was stale, which changed nothing outside a transaction. */
export async function runRetrying(client: ClientBase, names: StatementNames, statement: Statement): Promise<Row[]> {
  try {
    return await runStatement(client, names, statement)
  } catch (error) {
    if (!isStalePlan(error)) throw error
    return await runStatement(client, names, statement)
  }
}

interface OpenTx {
  tx: Tx
  effects: (() => void)[]
  /** Refuses further statements, waits for those under way, and returns the first statement's error, if there was one. */
  end(): Promise<unknown>
}

function openTx(client: ClientBase, names: StatementNames, watch: IdleWatch | undefined): OpenTx {
  const effects: (() => void)[] = []
  // A client takes one statement at once, and callers may start several without waiting.
  const serially = createSerial()
  let isOpen = true
  let firstError: unknown
  const run = (work: () => Promise<Row[]>) => {
    if (!isOpen) throw new TypeError('This transaction has ended: its handle may only be used inside the callback.')
    return serially(() => (watch === undefined ? work() : watch.during(work))).catch(error => {
      firstError ??= error
      throw toUnavailable(error)
    })
  }
  const queryable = {
    query: async (text: string, values?: readonly Param[], { parse }: StatementOptions = {}) =>
      run(() => runStatement(client, names, { text, values, parse })),
    script: async (text: string) => run(() => runScript(client, text))
  } as Queryable // the caller names the row's type; nothing checks it
  return {
    tx: { ...queryable, afterCommit: effect => void effects.push(effect) },
    effects,
    end: async () => {
      isOpen = false
      await serially(async () => {})
      return firstError
    }
  }
}

/** What became of a transaction. One that was rolled back leaves the connection sound, whatever `work` threw. */
type TransactionOutcome<T> = { kind: 'committed'; result: T } | { kind: 'rolled back'; error: unknown }

interface TransactionOptions {
  log: DbLog | undefined
  /** Where the database itself does not look at how long a transaction is idle. */
  watch?: IdleWatch
}

/**
 * Begins, runs `work`, commits or rolls back, then runs the effects. The client is free again only when this resolves or rejects.
 * @throws what the connection itself does: at the beginning, the commit or the rollback.
 */
export async function runTransaction<T>(
  client: ClientBase,
  names: StatementNames,
  work: (tx: Tx) => Promise<T>,
  { log, watch }: TransactionOptions
): Promise<TransactionOutcome<T>> {
  const { tx, effects, end } = openTx(client, names, watch)
  await client.query('begin')
  let result: T
  try {
    result = await (watch === undefined ? work(tx) : watch.unlessIdle(tx, work(tx)))
    await runBeforeCommit(tx)
  } catch (error) {
    await end()
    await rollBack(client, error)
    return { kind: 'rolled back', error }
  }
  const statementError = await end()
  const { command } = await client.query('commit')
  // The server answers the commit of a failed transaction with ROLLBACK: the caller swallowed the statement's error.
  if (command === 'ROLLBACK') throw statementError ?? new Error('The transaction was rolled back by the server.')
  runEffects(effects, log)
  return { kind: 'committed', result }
}

/** A connection lost here has rolled back by itself; the caller must know not to use the client again. */
async function rollBack(client: ClientBase, reason: unknown): Promise<void> {
  try {
    await client.query('rollback')
  } catch {
    throw new UnavailableError('The database was lost during a transaction, which it undid. Try again.', {
      cause: reason
    })
  }
}

function runEffects(effects: readonly (() => void)[], log: DbLog | undefined): void {
  for (const effect of effects) {
    try {
      effect()
    } catch (error) {
      // The change is committed: answering a failure would make the caller repeat it.
      log?.error({ err: error }, 'an effect after commit failed')
    }
  }
}
