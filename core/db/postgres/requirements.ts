import type { Queryable } from '../../contract/database.ts'
import { AppError } from '../../contract/errors.ts'

const minVersion = { number: 150_000, name: '15' }

/** Refuses a server the service cannot run on. @throws AppError saying what it lacks and what to do. */
export async function checkServer(db: Queryable): Promise<void> {
  const fault = faultOf(await readServer(db))
  if (fault !== undefined) throw new AppError('SERVICE_UNAVAILABLE', fault)
}

function faultOf({ version_number, version, has_vector, ...vector }: ServerFacts): string | undefined {
  if (version_number < minVersion.number)
    return `The database server is PostgreSQL ${version}; version ${minVersion.name} or newer is needed. Upgrade it.`
  if (!has_vector)
    return `The database server (PostgreSQL ${version}) has no pgvector. Install its package there, such as postgresql-17-pgvector, or use an image that has it.`
  const used = vector.vector_version ?? vector.offered_vector
  if (!isOldVector(used)) return undefined
  const { message, remedy } = oldVector(used)
  return `${message} ${remedy}`
}

interface ServerFacts {
  version_number: number
  version: string
  /** The server has pgvector to offer. */
  has_vector: boolean
  /** Null while this database does not use it. */
  vector_version: string | null
  /** The version it would get. */
  offered_vector: string | null
}

/** HNSW came with 0.5. */
export const isOldVector = (version: string | null): boolean => /^0\.[0-4](\.|$)/.test(version ?? '')

export const oldVector = (version: string | null) => ({
  message: `The database has pgvector ${version}; 0.5 or newer is needed, 0.8 or newer is best.`,
  remedy:
    'Install a newer package on the server; where the extension is there already, run "alter extension vector update".'
})

export async function readServer(db: Queryable): Promise<ServerFacts> {
  const [server] = await db.query<ServerFacts>(
    `select current_setting('server_version_num')::int as version_number,
            current_setting('server_version') as version,
            exists (select from pg_available_extensions where name = 'vector') as has_vector,
            (select extversion from pg_extension where extname = 'vector') as vector_version,
            (select default_version from pg_available_extensions where name = 'vector') as offered_vector`
  )
  if (server === undefined) throw new TypeError('A select without a table answered no row.')
  return server
}
