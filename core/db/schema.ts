import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { AppError } from '../contract/errors.ts'
import type { Plugin } from '../contract/plugin.ts'
import type { Log } from '../log.ts'
import { packageRoot } from '../paths.ts'
import type { Db } from './db.ts'
import { createMigrator, type Migrator } from './migrate.ts'
import { idOf, type MigrationSource, ownNamespace } from './migration-files.ts'
import { checkServer } from './requirements.ts'

/** The migrator over the project's own files and those of the plugins, which are given in the order they start. */
export const createSchemaMigrator = (db: Db, log?: Log, plugins: readonly Plugin[] = []): Migrator =>
  createMigrator({ db, sources: schemaSources(plugins), log })

/** Where the plugins' migrations are, in the order of the plugins; each plugin's name is its namespace. */
export const migrationSources = (plugins: readonly Plugin[]): MigrationSource[] =>
  plugins.flatMap(({ name, migrations }) => (migrations === undefined ? [] : [{ namespace: name, folder: migrations }]))

/** Where all migrations lie, in the order they run. */
export const schemaSources = (plugins: readonly Plugin[]): { namespace: string; folder: string }[] =>
  [{ namespace: ownNamespace, folder: path.join(packageRoot, 'migrations') }, ...migrationSources(plugins)].map(
    ({ namespace, folder }) => ({ namespace, folder: typeof folder === 'string' ? folder : fileURLToPath(folder) })
  )

/**
 * Refuses a database that does not fit this release: too old a server, no pgvector, migrations pending, changed or newer.
 * @throws AppError naming each and what to do.
 */
export async function checkSchema(db: Db, migrator: Migrator): Promise<void> {
  await checkServer(db)
  const problems = await migrator.check()
  const pending = (await migrator.status()).filter(({ state }) => state === 'pending')
  if (pending[0] !== undefined)
    problems.push(
      `The database lacks ${pending.length} migration(s), the first is ${idOf(pending[0])}: run "galley migrate up".`
    )
  if (problems.length > 0) throw new AppError('INTERNAL_ERROR', problems.join(' '))
}
