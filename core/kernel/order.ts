import { CONTRACT, type Plugin } from '../contract/plugin.ts'
import { wrongManifests } from './manifest-rules.ts'
import { wrongMigrations } from './plugin-migrations.ts'

/** Why the service does not boot: which plugin, what is wrong, and what to do. */
export interface BootProblem {
  plugin: string
  cause: string
  remedy: string
}

/** All problems found, together: fix them in one go. */
export class BootError extends Error {
  readonly problems: readonly BootProblem[]

  constructor(problems: readonly BootProblem[]) {
    const lines = problems.map(({ plugin, cause, remedy }) => `- ${plugin}: ${cause}. ${remedy}`)
    super(`The service does not boot:\n${lines.join('\n')}`)
    this.name = 'BootError'
    this.problems = problems
  }
}

/**
 * Sorts plugins so that each comes after those it needs; ties by name, so the order never depends on the configuration's.
 * Those that are `late` come as late as others' needs allow: of two that define the same thing the second is the one to name.
 * @throws BootError naming every wrong contract and manifest, duplicate, unmet need and cycle.
 */
export function orderPlugins(plugins: readonly Plugin[], late: (plugin: Plugin) => boolean = () => false): Plugin[] {
  const problems = [...conflictsOf(plugins), ...unmetNeeds(plugins)]
  const { ordered, cycle } = sort(plugins, late)
  if (cycle.length > 0) {
    const names = cycle.map(plugin => plugin.name).join(', ')
    problems.push({
      plugin: names,
      cause: 'these plugins need each other in a circle',
      remedy: 'Make one of the needs optional or tell it by an event.'
    })
  }
  if (problems.length > 0) throw new BootError(problems)
  return ordered
}

/** What is wrong with plugins whichever needs are met: wrong contracts and manifests, and what two of them bring. */
export const conflictsOf = (plugins: readonly Plugin[]): BootProblem[] => [
  ...wrongContracts(plugins),
  ...wrongManifests(plugins),
  ...wrongMigrations(plugins),
  ...duplicates(plugins)
]

function wrongContracts(plugins: readonly Plugin[]): BootProblem[] {
  return plugins
    .filter(plugin => plugin.contract !== CONTRACT)
    .map(plugin => ({
      plugin: plugin.name,
      cause: `it was written for contract ${plugin.contract}, this kernel has contract ${CONTRACT}`,
      remedy: 'Install the release of the plugin that fits.'
    }))
}

function duplicates(plugins: readonly Plugin[]): BootProblem[] {
  const name = { what: 'name', keysOf: (plugin: Plugin) => [plugin.name] }
  const service = {
    what: 'service',
    keysOf: (plugin: Plugin) => Object.values(plugin.provides ?? {}).map(token => (token as { id: string }).id)
  }
  const setting = { what: 'setting', keysOf: (plugin: Plugin) => Object.keys(plugin.settings ?? {}) }
  return [name, service, setting].flatMap(({ what, keysOf }) => {
    const owner = new Map<string, string>()
    return plugins.flatMap(plugin =>
      keysOf(plugin).flatMap(key => {
        const first = owner.get(key)
        if (first === undefined) owner.set(key, plugin.name)
        return first === undefined ? [] : [taken(plugin.name, what, key, first)]
      })
    )
  })
}

/** Who brings what no plugin does. */
export const kernelOwner = 'the kernel'

/** The problem of two plugins that bring the same thing, or of one that brings it twice. */
export function taken(plugin: string, what: string, key: string, first: string): BootProblem {
  return {
    plugin,
    cause: `the ${what} ${JSON.stringify(key)} is already brought by ${first}`,
    remedy:
      first === plugin || first === kernelOwner
        ? `Rename the ${what}.`
        : `Remove one of the two from plugins.config.json, or rename the ${what}.`
  }
}

function unmetNeeds(plugins: readonly Plugin[]): BootProblem[] {
  const provided = new Set(plugins.flatMap(providedIds))
  return plugins.flatMap(plugin =>
    neededIds(plugin)
      .filter(({ id, optional }) => !optional && !provided.has(id))
      .map(({ id }) => ({
        plugin: plugin.name,
        cause: `it needs the service ${JSON.stringify(id)}, which no plugin provides`,
        remedy: 'Add a plugin that provides it to plugins.config.json, or remove this one.'
      }))
  )
}

function sort(plugins: readonly Plugin[], late: (plugin: Plugin) => boolean): { ordered: Plugin[]; cycle: Plugin[] } {
  const waiting = [...plugins].sort((a, b) => Number(late(a)) - Number(late(b)) || (a.name < b.name ? -1 : 1))
  const ordered: Plugin[] = []
  while (waiting.length > 0) {
    const pending = new Set(waiting.flatMap(providedIds))
    const next = waiting.findIndex(plugin =>
      neededIds(plugin).every(({ id }) => !pending.has(id) || providedIds(plugin).includes(id))
    )
    if (next === -1) return { ordered, cycle: waiting }
    ordered.push(...waiting.splice(next, 1))
  }
  return { ordered, cycle: [] }
}

const providedIds = (plugin: Plugin): string[] =>
  Object.values(plugin.provides ?? {}).map(token => (token as { id: string }).id)

const neededIds = (plugin: Plugin): { id: string; optional: boolean }[] =>
  Object.values(plugin.needs ?? {}).map(token => ({
    id: (token as { id: string }).id,
    optional: 'optional' in (token as object)
  }))
