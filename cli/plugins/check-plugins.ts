import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { BootError, type BootProblem } from '../../core/contract/boot-error.ts'
import type { Plugin } from '../../core/contract/plugin.ts'
import type { Needs, Provides } from '../../core/contract/services.ts'
import { readMigrations } from '../../core/db/migrations/files.ts'
import { migrationSources } from '../../core/db/migrations/schema.ts'
import type { Kernel } from '../../core/kernel/kernel.ts'
import { loadedFrom, originOf } from '../../core/kernel/origin.ts'
import { readPluginConfig } from '../../core/kernel/plugin-config.ts'
import { findManifest, packageRoot } from '../../core/paths.ts'
import { messageOf } from '../../core/unknown.ts'
import { version } from '../../core/version.ts'
import { bootService } from '../boot.ts'
import { closedDb, placeholderConfig } from '../database/closed.ts'
import { describeProgram } from '../framework/catalogue.ts'
import { commandsInTime } from '../framework/load-in-time.ts'
import { createLog } from '../log/json-log.ts'
import { refuseTransactionStatements } from '../migrations/transaction-statements.ts'
import { unpackagedImports } from './package-contents.ts'
import { startEntriesWithoutBroken } from './without-broken.ts'

/** A plugin as `galley plugins` shows it. */
export interface PluginRow {
  name: string
  /** As the configuration names it; null for the kernel's own. */
  entry: string | null
  version: string
  contract: number
  describe: string
  /** Ids of services; an optional one ends in `?`. */
  needs: string[]
  provides: string[]
  settings: string[]
  routes: string[]
  /** Groups of commands. */
  commands: string[]
  /** What `galley doctor` looks at for it. */
  checks: string[]
}

/** What the entries of a configuration come to: the plugins that start, in their order, and what is wrong with others. */
export interface PluginCheck {
  plugins: PluginRow[]
  problems: readonly BootProblem[]
  /** Whether a start is refused for them. */
  isRefused: boolean
}

/** Wires the plugins as a start does, without a database or a home. */
export async function checkPluginEntries(entries: readonly string[], configPath: string): Promise<PluginCheck> {
  const config = placeholderConfig(configPath)
  const { value, problems } = await startEntriesWithoutBroken(entries, configPath, async plugins => {
    const kernel = await bootService({ config, db: closedDb, log: createLog('silent'), plugins })
    const routes = await routesOf(kernel)
    return { rows: kernel.plugins.map(loaded => rowOf(loaded, routes)), others: await otherProblems(kernel) }
  })
  return { plugins: value.rows, problems: [...problems, ...value.others], isRefused: problems.length > 0 }
}

/** The same for a configuration that may itself be at fault. */
export async function checkPluginConfig(configPath: string): Promise<PluginCheck> {
  try {
    const { plugins } = await readPluginConfig(configPath)
    return await checkPluginEntries(plugins, configPath)
  } catch (error) {
    if (!(error instanceof BootError)) throw error
    return { plugins: [], problems: error.problems, isRefused: true }
  }
}

async function routesOf(kernel: Kernel): Promise<Map<string, string[]>> {
  const routes = new Map<string, string[]>()
  const onRoute = (plugin: string, route: string) => {
    routes.set(plugin, [...(routes.get(plugin) ?? []), route])
  }
  const app = await kernel.createApp({ onRoute })
  await app.close()
  return routes
}

function rowOf({ plugin, contribution }: Kernel['plugins'][number], routes: Map<string, string[]>): PluginRow {
  const needs: Needs = plugin.needs ?? {}
  const provides: Provides = plugin.provides ?? {}
  return {
    name: plugin.name,
    entry: loadedFrom(plugin)?.entry ?? null,
    version: versionOf(plugin),
    contract: plugin.contract,
    describe: plugin.describe,
    needs: Object.values(needs).map(token => ('optional' in token ? `${token.id}?` : token.id)),
    provides: Object.values(provides).map(({ id }) => id),
    settings: Object.keys(plugin.settings ?? {}),
    routes: routes.get(plugin.name) ?? [],
    commands: Object.keys(contribution.commands ?? {}),
    checks: (contribution.checks ?? []).map(check => check.name)
  }
}

/** Of the package a plugin is in; of galley for its own. */
function versionOf(plugin: Plugin): string {
  const { file } = loadedFrom(plugin) ?? {}
  if (file === undefined || originOf(plugin) !== 'third-party') return version
  const manifest = findManifest(file)
  if (manifest === undefined) return '–'
  const found: { version?: string } = JSON.parse(readFileSync(manifest, 'utf8'))
  return found.version ?? '–'
}

/** What a start would not find, but the first command or migration would. */
async function otherProblems(kernel: Kernel): Promise<BootProblem[]> {
  const found = await Promise.all(
    kernel.plugins.map(async ({ plugin, contribution }) => [
      ...(await problemOf(plugin, 'its commands cannot be read', () =>
        describeProgram(commandsInTime({ plugin, contribution }))
      )),
      ...(await problemOf(plugin, 'its migrations cannot be used', async () =>
        refuseTransactionStatements(await readMigrations(migrationSources([plugin])))
      )),
      ...otherCopy(plugin),
      ...packagingProblems(plugin)
    ])
  )
  return found.flat()
}

async function problemOf({ name }: Plugin, what: string, look: () => Promise<unknown>): Promise<BootProblem[]> {
  try {
    await look()
    return []
  } catch (error) {
    return [{ plugin: name, cause: `${what} (${messageOf(error)})`, remedy: 'Install another release of it.' }]
  }
}

/** A plugin written for a galley that npm installed for it alone. It runs with this one all the same. */
function otherCopy(plugin: Plugin): BootProblem[] {
  const { file } = loadedFrom(plugin) ?? {}
  if (file === undefined || originOf(plugin) !== 'third-party') return []
  const nested = findNested(file)
  if (nested === null || nested.root === packageRoot || nested.version === version) return []
  return [
    {
      plugin: plugin.name,
      cause: `it was installed with galley ${nested.version}, and this is galley ${version}`,
      remedy: 'Install a release of it whose peerDependencies allow this version.'
    }
  ]
}

/** It runs from its folder, and would not from its tarball. */
function packagingProblems(plugin: Plugin): BootProblem[] {
  const { file } = loadedFrom(plugin) ?? {}
  const missing = file === undefined || originOf(plugin) !== 'third-party' ? [] : unpackagedImports(file)
  if (missing.length === 0) return []
  return [
    {
      plugin: plugin.name,
      cause: `its package would lack what it imports (${missing.join(', ')})`,
      remedy: 'Name it under "files" in its package.json.'
    }
  ]
}

function findNested(file: string): { root: string; version: string } | null {
  try {
    const manifest = findPackageJSON('galley', pathToFileURL(file))
    if (manifest === undefined) return null
    const { version: found }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'))
    return { root: path.dirname(manifest), version: found }
  } catch {
    return null
  }
}
