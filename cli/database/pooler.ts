import pg from 'pg'
import { AppError } from '../../core/contract/errors.ts'
import { unreachable } from './faults.ts'
import { isNameTaken, transactionPooling } from './postgres/pooling.ts'
import { databaseName } from './postgres/server-name.ts'

const connectTimeoutMs = 5_000
/** A pooler answers when it has a connection to the server. */
const queryTimeoutMs = 15_000
/** A pooler hands out the connection given back last; others that take it meanwhile make another look worth while. */
const maxProbes = 3

/**
 * Refuses a pooler, such as PgBouncer, that lends a connection for a transaction only. Prepared statements and the settings
 * of a session then belong to whoever comes next, and notifications of changes never arrive.
 * @throws AppError saying what works, UnavailableError when the database cannot be reached.
 */
export async function refuseTransactionPooling(url: string): Promise<void> {
  const clients = [openClient(url), openClient(url)] as const
  const [one, other] = clients
  try {
    await one.connect()
    // A pooler makes up the process that a client may cancel by; a server names its own.
    if ('processID' in one && (await pidOf(one)) === one.processID) return
    await other.connect()
    for (let probe = 1; probe <= maxProbes; probe++) if (await isShared(one, other)) throw transactionPooling()
  } catch (error) {
    if (error instanceof AppError) throw error
    throw isNameTaken(error) ? transactionPooling(error) : unreachable(error, databaseName(url))
  } finally {
    await Promise.all(clients.map(client => client.end().catch(() => {})))
  }
}

/** Whether two clients that are both connected are served by one process, or one of them by two. */
async function isShared(one: pg.Client, other: pg.Client): Promise<boolean> {
  const before = await pidOf(one)
  await other.query('begin')
  try {
    return (await pidOf(other)) === before || (await pidOf(one)) !== before
  } finally {
    await other.query('rollback')
  }
}

async function pidOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

function openClient(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'galley',
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs
  })
  client.on('error', () => {}) // the query under way reports it
  return client
}
