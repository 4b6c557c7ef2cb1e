import { AppError } from '../errors.ts'
import type { Queryable } from './db.ts'

const oldestVersion = { number: 150_000, name: '15' }

/**
 * Refuses a server the service cannot run on.
 * @throws AppError SERVICE_UNAVAILABLE saying what the server lacks and what to do.
 */
export async function checkServer(db: Queryable): Promise<void> {
  const { version_number, version, has_vector } = await readServer(db)
  if (version_number < oldestVersion.number) {
    throw unfit(
      `The database server is PostgreSQL ${version}; version ${oldestVersion.name} or newer is needed. Upgrade it.`
    )
  }
  if (!has_vector) {
    throw unfit(
      `The database server (PostgreSQL ${version}) has no pgvector. Install its package there, such as postgresql-17-pgvector, or use an image that has it.`
    )
  }
}

export interface Server {
  version_number: number
  version: string
  /** The server has pgvector to offer. */
  has_vector: boolean
  /** Null while this database does not use it. */
  vector_version: string | null
}

export async function readServer(db: Queryable): Promise<Server> {
  const [server] = await db.query<Server>(
    `select current_setting('server_version_num')::int as version_number,
            current_setting('server_version') as version,
            exists (select from pg_available_extensions where name = 'vector') as has_vector,
            (select extversion from pg_extension where extname = 'vector') as vector_version`
  )
  if (server === undefined) throw new TypeError('A select without a table answered no row.')
  return server
}

function unfit(message: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', message)
}
