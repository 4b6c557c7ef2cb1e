import { Counter, collectDefaultMetrics, type Gauge, Registry } from 'prom-client'
import { BootError, type BootProblem, type Log, type Metric, type PluginMetric, withTimeout } from '#core'
import { createSampleFilter } from './samples.ts'

const ownName = 'metrics'

/**
 * All metrics of the service and of its plugins.
 * @throws BootError naming every plugin that brings a metric which is there already.
 */
export function createRegistry(deps: { own: readonly Metric[]; others: readonly PluginMetric[]; log: Log }): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const failures = new Counter({
    name: 'metrics_failed_total',
    help: 'Figures of plugins that could not be read, or not in time.',
    labelNames: ['plugin', 'metric'],
    registers: [registry]
  })
  const owners = new Map<string, string>()
  const add = (metric: PluginMetric): BootProblem[] => {
    const { name, plugin } = metric
    if (registry.getSingleMetric(name) !== undefined) return [alreadyBrought(metric, owners.get(name) ?? ownName)]
    owners.set(name, plugin)
    const onFailure = (err: unknown) => {
      failures.inc({ plugin, metric: name })
      deps.log.warn({ err, plugin, metric: name }, 'a metric could not be read')
    }
    // The registry asks a metric for its values only by `get`: the library's classes can only be filled by observing.
    registry.registerMetric(registered(metric, createSampleFilter(metric, deps.log), onFailure) as unknown as Gauge)
    return []
  }
  const own = deps.own.map(metric => ({ ...metric, plugin: ownName }))
  const problems = [...own, ...deps.others].flatMap(add)
  if (problems.length > 0) throw new BootError(problems)
  return registry
}

function alreadyBrought({ plugin, name }: PluginMetric, owner: string): BootProblem {
  const remedy =
    plugin === owner || owner === ownName
      ? 'Rename the metric.'
      : 'Remove one of the two from plugins.config.json, or rename the metric.'
  return { plugin, cause: `the metric ${JSON.stringify(name)} is already brought by ${owner}`, remedy }
}

type SampleFilter = ReturnType<typeof createSampleFilter>

/** A metric as the registry reads one. */
function registered({ name, help, type, read }: Metric, filter: SampleFilter, onFailure: (error: unknown) => void) {
  const readOnce = shared(read)
  const values = async () => {
    try {
      const samples = filter(await readOnce())
      return samples.map(({ part, labels = {}, value }) => ({
        value,
        labels,
        metricName: part === undefined ? name : `${name}_${part}`
      }))
    } catch (error) {
      onFailure(error)
      return []
    }
  }
  return { name, help, type, get: async () => ({ name, help, type, aggregator: 'first', values: await values() }) }
}

/** A scraper gives up after 10 s: a plugin that is slower than this must not hide what the others tell. */
const maxReadMs = 2_000

/** Concurrent scrapes share one reading. One that never ends is neither waited for nor begun again. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => {
    if (running === undefined) {
      const work = (async () => read())()
      const ended = () => {
        running = undefined
      }
      running = inTime(work)
      work.then(ended, ended)
    }
    return running
  }
}

const inTime = <T>(work: Promise<T>): Promise<T> =>
  withTimeout(maxReadMs, work, (): never => {
    throw new Error(`It did not end within ${maxReadMs / 1_000} s.`)
  })
