import pg from 'pg'
import type { Db, Param, Tx } from './db.ts'
import { asUnavailable, isConnectionFault } from './faults.ts'
import { createListenConnection } from './listen-connection.ts'
import { createTransactionScope } from './scope.ts'
import { type DbLog, runRetrying, runScript, runTransaction, sessionSettings } from './session.ts'
import { createStatementNames } from './statements.ts'
import { parsedTypes } from './types.ts'

const idleTimeoutMs = 30_000

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, with any parameter pg understands. */
  url: string
  /** Connections at most, the one that listens not counted. */
  max?: number
  applicationName?: string
  /** A statement running longer is cancelled with SQLSTATE 57014; 0 for never. */
  statementTimeoutMs?: number
  /** How long a caller waits for a connection, a new one or one in use by others, before an UnavailableError. */
  connectTimeoutMs?: number
  log?: DbLog
}

/** A pool of connections to a PostgreSQL server. It connects on first use, so that an absent server is an UnavailableError then. */
export function createPostgres(options: PostgresOptions): Db {
  const { url, max = 10, applicationName = 'galley', log } = options
  const { statementTimeoutMs = 30_000, connectTimeoutMs = 5_000 } = options
  const connection = {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types: parsedTypes
  }
  const pool = createPool({ ...connection, max, idleTimeoutMillis: idleTimeoutMs }, statementTimeoutMs, log)
  const listening = createListenConnection(connection, log)
  const names = createStatementNames()
  const scope = createTransactionScope()
  return {
    kind: 'postgres',
    query: async <Row extends object>(sql: string, params?: readonly Param[]) => {
      scope.refuseInside()
      return (await withClient(pool, client => runRetrying(client, names, sql, params))) as Row[]
    },
    script: async <Row extends object>(sql: string) => {
      scope.refuseInside()
      return (await withClient(pool, client => runScript(client, sql))) as Row[]
    },
    transaction: async <T>(work: (tx: Tx) => Promise<T>) => {
      scope.refuseInside()
      return withClient(pool, client => runTransaction(client, names, tx => scope.run(() => work(tx)), log))
    },
    listen: (channel, onNotify, onGap) => listening.listen(channel, onNotify, onGap),
    pool: () => ({ size: pool.totalCount, idle: pool.idleCount }),
    close: async () => {
      await Promise.all([listening.close(), pool.end()])
    }
  }
}

function createPool(config: pg.PoolConfig, statementTimeoutMs: number, log: DbLog | undefined): pg.Pool {
  const pool = new pg.Pool({
    ...config,
    onConnect: async client => {
      // The interval: a killed process's statement, and the locks it holds, end within a second.
      await client.query(`${sessionSettings}; set statement_timeout to ${statementTimeoutMs};
        set client_connection_check_interval to '1s'`)
    }
  })
  pool.on('error', error => log?.warn({ err: error }, 'an idle database connection was lost'))
  // The pool listens only while a client is idle; in use, its query is the one that reports the loss.
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}

/** Lends a client. One whose connection failed is destroyed; one whose statement failed goes back. */
async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  let client: pg.PoolClient
  try {
    client = await pool.connect()
  } catch (error) {
    throw asUnavailable(error)
  }
  let isLost = false
  try {
    return await work(client)
  } catch (error) {
    isLost = isConnectionFault(error)
    throw asUnavailable(error)
  } finally {
    client.release(isLost)
  }
}
