import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Db } from '../../contract/database.ts'
import { AppError } from '../../contract/errors.ts'
import type { Plugin } from '../../contract/plugin.ts'
import { packageRoot } from '../../paths.ts'
import { checkServer } from '../postgres/requirements.ts'
import { idOf, type MigrationSource, ownNamespace } from './files.ts'
import { problemsOf, readMigrationState } from './status.ts'

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
export async function checkSchema(db: Db, sources: readonly MigrationSource[]): Promise<void> {
  await checkServer(db)
  const { status } = await readMigrationState(db, sources)
  const problems = problemsOf(status)
  const pending = status.filter(({ state }) => state === 'pending')
  if (pending[0] !== undefined)
    problems.push(
      `The database lacks ${pending.length} migration(s), the first is ${idOf(pending[0])}: run "galley migrate up".`
    )
  if (problems.length > 0) throw new AppError('INTERNAL_ERROR', problems.join(' '))
}
