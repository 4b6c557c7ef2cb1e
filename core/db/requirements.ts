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

interface Server {
  version_number: number
  version: string
  has_vector: boolean
}

async function readServer(db: Queryable): Promise<Server> {
  const [server] = await db.query<Server>(
    `select current_setting('server_version_num')::int as version_number,
            current_setting('server_version') as version,
            exists (select from pg_available_extensions where name = 'vector') as has_vector`
  )
  if (server === undefined) throw new TypeError('A select without a table answered no row.')
  return server
}

function unfit(message: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', message)
}
