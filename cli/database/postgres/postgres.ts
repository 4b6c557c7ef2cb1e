import pg from 'pg'
import type { Db, Param, StatementOptions, Tx } from '../../../core/contract/database.ts'
import { UnavailableError } from '../../../core/contract/errors.ts'
import { currentLane, type Lane, lanes, serially } from '../../../core/db/lanes.ts'
import { errorCode } from '../../../core/unknown.ts'
import { isConnectionFault, toUnavailable, unreachable } from '../faults.ts'
import { type LaneLimits, laneLimits } from '../lane-limits.ts'
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
  /** How long a caller waits for a connection, a new one or one in use by others, before an UnavailableError. */
  connectTimeoutMs?: number
  log?: DbLog
}

type Connection = Pick<pg.ClientConfig, 'connectionString' | 'application_name' | 'keepAlive' | 'types'>
type Pools = Readonly<Record<Lane, pg.Pool>>

/** Pools of connections to a PostgreSQL server. They connect on first use, so that an absent server is an UnavailableError then. */
export function createPostgres(options: PostgresOptions): Db {
  const { url, max = 10, applicationName = 'galley', log } = options
  const { statementTimeoutMs = 30_000, connectTimeoutMs = 5_000 } = options
  const connection = {
    connectionString: url,
    application_name: applicationName,
    keepAlive: true,
    types: parsedTypes
  }
  const pools = createPools(connection, max, { statementMs: statementTimeoutMs, waitMs: connectTimeoutMs }, log)
  const listening = createListenConnection({ ...connection, connectionTimeoutMillis: connectTimeoutMs }, log)
  const name = databaseName(url)
  const names = createStatementNames()
  const scope = createTransactionScope()
  const onLeasedClient = <T>(work: (client: pg.PoolClient) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    scope.refuseInside()
    const lane = currentLane()
    return serially(() => withClient(pools[lane], work, { name, lane, signal, canceller: pools.health }))
  }
  const all = lanes.map(lane => pools[lane])
  const sum = (count: (pool: pg.Pool) => number) => all.reduce((total, pool) => total + count(pool), 0)
  return {
    kind: 'postgres',
    query: async <Row extends object>(sql: string, params?: readonly Param[], { signal }: StatementOptions = {}) =>
      (await onLeasedClient(client => runRetrying(client, names, sql, params), signal)) as Row[],
    script: async <Row extends object>(sql: string) =>
      (await onLeasedClient(client => runScript(client, sql))) as Row[],
    transaction: async <T>(work: (tx: Tx) => Promise<T>) => {
      const outcome = await onLeasedClient(client =>
        runTransaction(client, names, tx => scope.run(() => work(tx)), log)
      )
      if (outcome.kind === 'rolled back') throw asTooLong(asReadOnly(asPooling(outcome.error)), currentLane())
      return outcome.result
    },
    listen: (channel, onNotify, onGap) => listening.listen(channel, onNotify, onGap),
    pool: () => ({ size: sum(pool => pool.totalCount), idle: sum(pool => pool.idleCount) }),
    close: async () => {
      await Promise.all([listening.close(), ...all.map(pool => pool.end())])
    }
  }
}

/** Connections of each lane. Two searches at once are enough for two cores, and one connection for one question. */
function createPools(connection: Connection, max: number, work: LaneLimits, log: DbLog | undefined): Pools {
  const capped = ({ statementMs, waitMs }: LaneLimits): LaneLimits => ({
    statementMs: work.statementMs === 0 ? statementMs : Math.min(statementMs, work.statementMs),
    waitMs: Math.min(waitMs, work.waitMs)
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
      const script = [sessionSettings, settings, ...session, 'select pg_backend_pid() as pid'].join('; ')
      const answers: unknown = await client.query(script)
      const { rows } = (answers as pg.QueryResult<{ pid: number }>[]).at(-1) ?? { rows: [] }
      if (rows[0] !== undefined) processes.set(client, rows[0].pid)
    }
  })
  pool.on('error', error => log?.warn({ err: error }, 'an idle database connection was lost'))
  // The pool listens only while a client is idle; in use, its query is the one that reports the loss.
  pool.on('connect', client => client.on('error', () => {}))
  return pool
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
    throw unreachable(error, name)
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
