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
  const { ordered, cycles } = sort(plugins)
  const problems = [...manifests.problems, ...unmetNeeds(plugins), ...selfNeeds(plugins), ...cycles.map(cycleProblem)]
  if (problems.length > 0) throw new BootError(problems)
  return ordered
}

/** What a plugin needs of itself waits for nothing here. */
function sort(plugins: readonly Plugin[]): { ordered: Plugin[]; cycles: Plugin[][] } {
  const byName = plugins.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const waiting = thirdPartiesLast(byName, plugin => plugin)
  const ordered: Plugin[] = []
  while (waiting.length > 0) {
    const pending = new Set(waiting.flatMap(providedIds))
    const next = waiting.findIndex(plugin => othersNeeded(plugin).every(id => !pending.has(id)))
    if (next === -1) return { ordered, cycles: cyclesIn(waiting) }
    ordered.push(...waiting.splice(next, 1))
  }
  return { ordered, cycles: [] }
}

/** Those that need one another, also through others; not those that only need them. */
function cyclesIn(waiting: readonly Plugin[]): Plugin[][] {
  const reached = new Map(waiting.map(plugin => [plugin, reachedFrom(plugin, waiting)]))
  const reaches = (from: Plugin, to: Plugin) => reached.get(from)?.has(to) === true
  const cycles = waiting.map(plugin => waiting.filter(other => reaches(plugin, other) && reaches(other, plugin)))
  return cycles.filter(([first], index) => first === waiting[index])
}

function reachedFrom(plugin: Plugin, all: readonly Plugin[], reached = new Set<Plugin>()): Set<Plugin> {
  const needed = new Set(othersNeeded(plugin))
  const direct = all.filter(other => providedIds(other).some(id => needed.has(id)))
  for (const other of direct) if (!reached.has(other)) reachedFrom(other, all, reached.add(other))
  return reached
}

const cycleRemedy = 'Remove one of the needs, an optional one too, and send an event instead.'

function selfNeeds(plugins: readonly Plugin[]): BootProblem[] {
  const cause = 'it depends on itself: it needs a service that it provides'
  return plugins
    .filter(plugin => othersNeeded(plugin).length < neededTokens(plugin).length)
    .map(({ name }) => ({ plugin: name, cause, remedy: cycleRemedy }))
}

function cycleProblem(cycle: readonly Plugin[]): BootProblem {
  const plugins = cycle.map(({ name }) => name)
  const cause = 'these plugins depend on each other in a cycle'
  return { plugin: plugins.join(', '), plugins, cause, remedy: cycleRemedy }
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

function othersNeeded(plugin: Plugin): string[] {
  const own = new Set(providedIds(plugin))
  return neededTokens(plugin).flatMap(({ id }) => (own.has(id) ? [] : [id]))
}
