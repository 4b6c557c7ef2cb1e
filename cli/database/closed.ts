import type { Config } from '../../core/config.ts'
import type { Db } from '../../core/contract/database.ts'

/** A configuration to wire plugins with where there is no home. */
export const placeholderConfig = (pluginsConfigPath: string): Config => ({
  home: '',
  databaseUrl: undefined,
  secretKey: Buffer.alloc(32).toString('base64'),
  jwtSecret: '',
  host: '127.0.0.1',
  port: 0,
  logLevel: 'silent',
  pluginsConfigPath
})

const refuse = (): never => {
  throw new TypeError('A command is described without a database: it must not use one before it runs.')
}

/** A database to wire plugins with where none is open. */
export const closedDb: Db = {
  kind: 'pglite',
  query: refuse,
  script: refuse,
  transaction: refuse,
  listen: refuse,
  pool: () => ({ size: 0, idle: 0 }),
  close: async () => {}
}
