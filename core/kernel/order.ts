import { BootError, type BootProblem } from '../contract/boot-error.ts'
import type { Plugin } from '../contract/plugin.ts'
import type { Needs } from '../contract/services.ts'
import { needsOf, providesOf } from './manifest.ts'
import { checkManifests } from './manifest-rules.ts'
import { thirdPartiesLast } from './origin.ts'

/**
 * Sorts plugins so that each comes after those it needs; ties by name, so the order never depends on the configuration's.
 * Third parties come as late as others' needs allow.
 * @throws BootError naming every wrong contract and manifest, duplicate, unmet need and cycle.
 */
export function orderPlugins(plugins: readonly Plugin[]): Plugin[] {
  const manifests = checkManifests(plugins)
  if (manifests.hasMalformed) throw new BootError(manifests.problems)
  const { ordered, cycle } = sort(plugins)
  const problems = [...manifests.problems, ...unmetNeeds(plugins), ...cycleProblem(cycle)]
  if (problems.length > 0) throw new BootError(problems)
  return ordered
}

function sort(plugins: readonly Plugin[]): { ordered: Plugin[]; cycle: readonly Plugin[] } {
  const byName = plugins.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const waiting = thirdPartiesLast(byName, plugin => plugin)
  const ordered: Plugin[] = []
  while (waiting.length > 0) {
    const pending = new Set(waiting.flatMap(providedIds))
    const next = waiting.findIndex(plugin => neededTokens(plugin).every(({ id }) => !pending.has(id)))
    if (next === -1) return { ordered, cycle: inCycle(waiting) }
    ordered.push(...waiting.splice(next, 1))
  }
  return { ordered, cycle: [] }
}

/** Without those that only need others of these. */
function inCycle(waiting: readonly Plugin[]): readonly Plugin[] {
  const needed = new Set(waiting.flatMap(plugin => neededTokens(plugin).map(({ id }) => id)))
  const members = waiting.filter(plugin => providedIds(plugin).some(id => needed.has(id)))
  return members.length === waiting.length ? members : inCycle(members)
}

function cycleProblem(cycle: readonly Plugin[]): BootProblem[] {
  const plugins = cycle.map(({ name }) => name)
  const itself = 'it depends on itself: it needs a service that it provides'
  const cause = plugins.length === 1 ? itself : 'these plugins depend on each other in a cycle'
  const remedy = 'Remove one of the needs, an optional one too, and send an event instead.'
  return plugins.length === 0 ? [] : [{ plugin: plugins.join(', '), plugins, cause, remedy }]
}

function unmetNeeds(plugins: readonly Plugin[]): BootProblem[] {
  const provided = new Set(plugins.flatMap(providedIds))
  return plugins.flatMap(plugin =>
    neededTokens(plugin)
      .filter(token => !('optional' in token) && !provided.has(token.id))
      .map(({ id }) => ({
        plugin: plugin.name,
        cause: `it needs the service ${JSON.stringify(id)}, which no plugin provides`,
        remedy: 'Add a plugin that provides it to plugins.config.json, or remove this one.'
      }))
  )
}

const providedIds = (plugin: Plugin): string[] => Object.values(providesOf(plugin)).map(({ id }) => id)

const neededTokens = (plugin: Plugin): Needs[string][] => Object.values(needsOf(plugin))
