import path from 'node:path'
import type { Plugin } from '../contract/plugin.ts'
import { type MigrationSource, ownNamespace } from '../db/migration-files.ts'
import type { BootProblem } from './order.ts'

/** Where the plugins' migrations lie, in the order of the plugins; each plugin's name is its namespace. */
export const migrationSources = (plugins: readonly Plugin[]): MigrationSource[] =>
  plugins.flatMap(({ name, migrations }) => (migrations === undefined ? [] : [{ namespace: name, folder: migrations }]))

/** What is wrong with where plugins say their migrations are. */
export const wrongMigrations = (plugins: readonly Plugin[]): BootProblem[] =>
  plugins.flatMap(({ name, migrations }) => {
    if (migrations === undefined) return []
    const wrong = (cause: string, remedy: string) => [{ plugin: name, cause, remedy }]
    if (name === ownNamespace) {
      return wrong(`it has migrations under the service's own name ${ownNamespace}`, 'Name the plugin otherwise.')
    }
    const isFolder =
      migrations instanceof URL
        ? migrations.protocol === 'file:'
        : typeof migrations === 'string' && path.isAbsolute(migrations)
    if (isFolder) return []
    return wrong(
      `its migrations are at ${JSON.stringify(String(migrations))}, which is no absolute path`,
      "Give new URL('./migrations/', import.meta.url)."
    )
  })
