import { dataFolder } from '../home.ts'
import type { Db } from './db.ts'
import { freshCluster } from './fresh-cluster.ts'
import { createPglite } from './pglite.ts'
import { createPostgres } from './postgres.ts'
import type { DbLog } from './session.ts'

export interface DatabaseOptions {
  /** A server's URL; without one the database is embedded, in `data` under the home. */
  url?: string
  /** The home folder; the caller holds its lock when the database is embedded. */
  home: string
  /** Connections to a server at most. */
  max?: number
  applicationName?: string
  log?: DbLog
}

/** Opens the database that the configuration names. A server is connected to on first use. */
export async function openDatabase({ url, home, ...rest }: DatabaseOptions): Promise<Db> {
  if (url !== undefined) return createPostgres({ url, ...rest })
  const dataDir = dataFolder(home)
  return createPglite({ dataDir, snapshot: await freshCluster(dataDir), log: rest.log })
}
