import pg from 'pg'
import type { Db, Param, StatementOptions, Tx } from '../../../core/contract/database.ts'
import { UnavailableError } from '../../../core/contract/errors.ts'
import { currentLane, type Lane, lanes, serially } from '../../../core/db/lanes.ts'
import { errorCode } from '../../../core/unknown.ts'
import { isConnectionFault, toUnavailable, unreachable } from '../faults.ts'
import { type LaneLimits, laneLimits } from '../lane-limits.ts'
import { createOpenTransactions, idleFault } from '../open-transactions.ts'
import { type DbLog, runRetrying, runScript, runTransaction, sessionSettings } from '../session/session.ts'
import { createStatementNames } from '../session/statement-names.ts'
import { parsedTypes } from '../session/types.ts'
import { asReadOnly } from '../statement-faults.ts'
import { createTransactionScope } from '../transaction-scope.ts'
import { createListenConnection } from './listen-connection.ts'
import { asPooling } from './pooling.ts'
import { databaseName } from './server-name.ts'

const idleTimeoutMs = 30_000

interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, with any parameter pg understands. */
  url: string
  /** Connections for decisions, jobs and commands at most. Reads have four tenths of it beside them, search two, health one, and one listens. */
  max?: number
  applicationName?: string
  /** A statement running longer is cancelled with SQLSTATE 57014; 0 for never. */
  statementTimeoutMs?: number
  /** A transaction that stays open without a statement for longer is ended by the server. */
  idleTransactionMs?: number
  /** How long a caller waits for a connection, a new one or one in use by others, before an UnavailableError. */
  connectTimeoutMs?: number
  log?: DbLog
}

type Connection = Pick<pg.ClientConfig, 'connectionString' | 'application_name' | 'keepAlive' | 'types'>
type Pools = Readonly<Record<Lane, pg.Pool>>

/** Pools of connections to a PostgreSQL server. They connect on first use, so that an absent server is an UnavailableError then. */
export function createPostgres(options: PostgresOptions): Db {
  const { url, max = 10, applicationName = 'galley', log } = options
  const { statementTimeoutMs = 30_000, idleTransactionMs = 600_000, connectTimeoutMs = 5_000 } = options
  const connection = {
    connectionString: url,
    application_name: applicationName,
    keepAlive: true,
    types: parsedTypes
  }
  const limits = { statementMs: statementTimeoutMs, waitMs: connectTimeoutMs, idleMs: idleTransactionMs }
  const pools = createPools(connection, max, limits, log)
  const listening = createListenConnection({ ...connection, connectionTimeoutMillis: connectTimeoutMs }, log)
  const name = databaseName(url)
  const names = createStatementNames()
  const scope = createTransactionScope()
  const open = createOpenTransactions(log)
  const onLeasedClient = <T>(work: (client: pg.PoolClient) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    scope.refuseInside()
    const lane = currentLane()
    return serially(() => withClient(pools[lane], work, { name, lane, signal, canceller: pools.health }))
  }
  const all = lanes.map(lane => pools[lane])
  const sum = (count: (pool: pg.Pool) => number) => all.reduce((total, pool) => total + count(pool), 0)
  return {
    kind: 'postgres',
    query: async <Row extends object>(text: string, values?: readonly Param[], options: StatementOptions = {}) => {
      const { signal, parse } = options
      return (await onLeasedClient(client => runRetrying(client, names, { text, values, parse }), signal)) as Row[]
    },
    script: async <Row extends object>(sql: string) =>
      (await onLeasedClient(client => runScript(client, sql))) as Row[],
    transaction: async <T>(work: (tx: Tx) => Promise<T>) => {
      const run = (client: pg.PoolClient) => runTransaction(client, names, tx => scope.run(() => work(tx)), { log })
      const outcome = await open.run(began => onLeasedClient(client => unlessIdle(client, run(client), { began, log })))
      if (outcome.kind === 'rolled back') throw asTooLong(asReadOnly(asPooling(outcome.error)), currentLane())
      return outcome.result
    },
    listen: (channel, onNotify, onGap) => listening.listen(channel, onNotify, onGap),
    pool: () => ({ size: sum(pool => pool.totalCount), idle: sum(pool => pool.idleCount) }),
    close: () => open.whileClosing(Promise.all([listening.close(), ...all.map(pool => pool.end())]))
  }
}

/** Connections of each lane. Two searches at once are enough for two cores, and one connection for one question. */
function createPools(connection: Connection, max: number, work: LaneLimits, log: DbLog | undefined): Pools {
  const capped = ({ statementMs, waitMs, idleMs }: LaneLimits): LaneLimits => ({
    statementMs: work.statementMs === 0 ? statementMs : Math.min(statementMs, work.statementMs),
    waitMs: Math.min(waitMs, work.waitMs),
    idleMs: Math.min(idleMs, work.idleMs)
  })
  const pool = (max: number, limits: LaneLimits, session: readonly string[] = []) =>
    createPool(connection, { max, limits, session, log })
  return {
    work: pool(max, work, onOneProcessor),
    reads: pool(Math.ceil(max * 0.4), capped(laneLimits.reads)),
    queries: pool(Math.min(max, 2), capped(laneLimits.queries)),
    health: pool(1, capped(laneLimits.health))
  }
}

/** Statements of decisions and jobs leave the other processors of the server to readers. */
const onOneProcessor = ['set max_parallel_workers_per_gather to 0']

/** The server's process behind each client. What the protocol names is made up by a pooler in between. */
const processes = new WeakMap<object, number>()

interface PoolOptions {
  max: number
  limits: LaneLimits
  /** What its sessions begin with beside the settings of all. */
  session: readonly string[]
  log: DbLog | undefined
}

function createPool(connection: Connection, { max, limits, session, log }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    max,
    idleTimeoutMillis: idleTimeoutMs,
    connectionTimeoutMillis: limits.waitMs,
    onConnect: async client => {
      // The interval: a killed process's statement, and the locks it holds, end within a second.
      const settings = `set statement_timeout to ${limits.statementMs}; set client_connection_check_interval to '1s'`
      const idle = `set idle_in_transaction_session_timeout to ${limits.idleMs}`
      const script = [sessionSettings, settings, idle, ...session, 'select pg_backend_pid() as pid'].join('; ')
      const answers: unknown = await client.query(script)
      const { rows } = (answers as pg.QueryResult<{ pid: number }>[]).at(-1) ?? { rows: [] }
      if (rows[0] !== undefined) processes.set(client, rows[0].pid)
    }
  })
  pool.on('error', error => log?.warn({ err: error }, 'an idle database connection was lost'))
  lent.set(pool, 0)
  pool.on('acquire', () => lent.set(pool, lentOf(pool) + 1))
  pool.on('release', () => lent.set(pool, lentOf(pool) - 1))
  // The pool listens only while a client is idle; in use, its query is the one that reports the loss.
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}

/** How many clients of a pool are in use. Those that are being connected are not. */
const lent = new WeakMap<pg.Pool, number>()
const lentOf = (pool: pg.Pool): number => lent.get(pool) ?? 0

/** Whoever waits in vain then waits for others here, not for the server. */
const isAllLent = (pool: pg.Pool): boolean => !pool.ending && lentOf(pool) === pool.options.max

const allLent = (cause: unknown, { max }: pg.PoolOptions, lane: Lane): UnavailableError =>
  new UnavailableError('The database is overloaded. Try again in a few seconds.', {
    cause,
    detail: `No database connection of this process was free in time: all ${max} for ${usesOf[lane]} are in use. Look in pg_stat_activity for what they do. One that is "idle in transaction" waits for code of a plugin, and the server ends it in the end.`
  })

/** Of lanes, for the operator, as docs/operations.md calls them. */
const usesOf: Readonly<Record<Lane, string>> = {
  work: 'decisions, jobs and commands',
  reads: 'reads',
  queries: 'searches',
  health: 'health checks'
}

interface ClientRequest {
  /** Of the database, for the operator. */
  name: string
  lane: Lane
  signal: AbortSignal | undefined
  /** Where statements are cancelled from. */
  canceller: pg.Pool
}

/** Lends a client. One whose connection failed is destroyed; one whose statement failed goes back. */
async function withClient<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  { name, lane, signal, canceller }: ClientRequest
): Promise<T> {
  let client: pg.PoolClient
  try {
    client = await pool.connect()
  } catch (error) {
    throw isAllLent(pool) ? allLent(error, pool.options, lane) : unreachable(error, name)
  }
  if (signal?.aborted) {
    client.release()
    throw new UnavailableError('The request was cancelled or timed out.')
  }
  let isLost = false
  try {
    return await cancellable(client, () => work(client), signal, canceller)
  } catch (error) {
    isLost = isConnectionFault(error)
    throw asTooLong(toUnavailable(asReadOnly(asPooling(error)), name), lane)
  } finally {
    client.release(isLost)
  }
}

/**
 * Settles with a transaction on this client, or when the server has ended it because it stayed open without a statement. Its
 * work may go on behind, and finds the connection gone. `began`: its stack is where it began.
 */
async function unlessIdle<T>(
  client: pg.PoolClient,
  work: Promise<T>,
  { began, log }: { began: Error; log: DbLog | undefined }
): Promise<T> {
  const ended = Promise.withResolvers<never>()
  const onError = (error: Error) => {
    if (errorCode(error) === idleTransaction) ended.reject(idleFault({ began, log }, error))
  }
  client.on('error', onError)
  try {
    return await Promise.race([work, ended.promise])
  } finally {
    client.off('error', onError)
  }
}

/** SQLSTATE `idle_in_transaction_session_timeout`. */
const idleTransaction = '25P03'

/** What only reads is cancelled to make room for others: that is no fault of the service. */
function asTooLong(error: unknown, lane: Lane): unknown {
  if (lane === 'work' || errorCode(error) !== '57014') return error
  return new UnavailableError('The database took too long for this. Ask for less, or try again in a few seconds.', {
    cause: error
  })
}

/** Cancels what the client runs when the signal is aborted. The client is free again only when the cancelling is over: it must not hit the next statement. */
async function cancellable<T>(
  client: pg.PoolClient,
  work: () => Promise<T>,
  signal: AbortSignal | undefined,
  canceller: pg.Pool
): Promise<T> {
  if (signal === undefined) return work()
  let cancelling: Promise<unknown> | undefined
  const process = processes.get(client)
  const cancel = () => {
    cancelling = canceller.query('select pg_cancel_backend($1)', [process ?? null]).catch(() => {})
  }
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return await work()
  } finally {
    signal.removeEventListener('abort', cancel)
    await cancelling
  }
}
