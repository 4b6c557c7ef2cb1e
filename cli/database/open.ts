import type { Db } from '../../core/contract/database.ts'
import { dataFolder } from '../config/home.ts'
import { requireDatabase } from './data-folder.ts'
import { freshCluster } from './fresh-cluster.ts'
import { createPglite } from './pglite/pglite.ts'
import { createPostgres } from './postgres/postgres.ts'
import type { DbLog } from './session/session.ts'

interface DatabaseOptions {
  /** A server's URL; without one the database is embedded, in `data` under the home. */
  url?: string
  /** The home folder; the caller holds its lock when the database is embedded. */
  home: string
  /** Make the embedded database: only a caller who knows that none is, or was, in the home. */
  create?: boolean
  /** Connections to a server at most. */
  max?: number
  applicationName?: string
  log?: DbLog
}

/**
 * Opens the database that the configuration names. A server is connected to on first use.
 * @throws UnavailableError when the embedded one is not there, or damaged: nothing is written then.
 */
export async function openDatabase({ url, home, create = false, ...rest }: DatabaseOptions): Promise<Db> {
  if (url !== undefined) return createPostgres({ url, ...rest })
  if (!create) requireDatabase(home)
  const dataDir = dataFolder(home)
  return createPglite({ dataDir, snapshot: await freshCluster(dataDir), log: rest.log })
}
