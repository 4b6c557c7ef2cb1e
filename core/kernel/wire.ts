import type { Contribution, Needs, Plugin, Provides } from '../contract/plugin.ts'
import { kernelChecks } from '../health/kernel-checks.ts'
import { OutOfTime, runInTime, startSeconds } from '../isolation/deadline.ts'
import { wrongMetrics } from '../isolation/metric-faults.ts'
import { runStep } from '../isolation/steps.ts'
import { cronFault } from '../jobs/cron.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { ownFirst } from './load.ts'
import { BootError, type BootProblem, kernelOwner, taken } from './order.ts'
import { type Services, takeServices } from './services.ts'

/** A plugin with what it brought. */
export interface LoadedPlugin {
  readonly plugin: Plugin
  readonly contribution: Contribution<Provides>
}

type SetupContext = Parameters<Plugin['setup']>[0]

/** Groups and commands of the CLI that are the kernel's own. */
const kernelCommands = [
  ...[
    'serve',
    'worker',
    'setup',
    'migrate',
    'plugins',
    'settings',
    'doctor',
    'backup',
    'demo',
    'completion',
    'jobs',
    'move'
  ],
  // Deprecated words are replaced before anything else looks at a command line: a group of that name would never run.
  ...['post', 'approve', 'reject', 'list-pending', 'show-pending', 'publish-at'],
  ...['approve-publish', 'reject-publish', 'list-pending-publish', 'show-pending-publish']
]

/**
 * Runs each plugin's `setup`, in order, and takes what it brings.
 * @throws BootError naming every plugin that fails, breaks its promise or brings what is taken.
 */
export function setUpPlugins(
  ordered: readonly Plugin[],
  deps: {
    services: Services
    jobs: Pick<Jobs, 'register'>
    contextOf(plugin: Plugin): SetupContext
    wire<T>(plugin: string, work: () => T): T
  }
): LoadedPlugin[] {
  const { services, jobs, contextOf, wire } = deps
  const problems: BootProblem[] = []
  const loaded: LoadedPlugin[] = []
  for (const plugin of ordered) {
    // The plugin it needs failed and is reported: this one is not at fault.
    if (!canStart(plugin, services)) continue
    const result = setUp(plugin, () => wire(plugin.name, () => plugin.setup(contextOf(plugin))))
    if ('cause' in result) problems.push(result)
    else {
      problems.push(...takeServices(services, plugin, result.services ?? {}).map(name => brokenPromise(plugin, name)))
      loaded.push({ plugin, contribution: result })
    }
  }
  const inTurn = ownFirst(loaded, ({ plugin }) => plugin)
  problems.push(
    ...takenNames(inTurn, 'command group', kernelCommands, ({ commands = {} }) => Object.keys(commands)),
    ...takenNames(inTurn, 'check', kernelChecks, ({ checks = [] }) => checks.map(({ name }) => name)),
    ...inTurn.flatMap(part => registerJobs(jobs, part)),
    ...inTurn.flatMap(({ plugin, contribution }) => wrongMetrics(plugin.name, contribution.metrics ?? []))
  )
  if (problems.length > 0) throw new BootError(problems)
  return loaded
}

function canStart(plugin: Plugin, services: Services): boolean {
  const needs = Object.values((plugin.needs ?? {}) as Needs)
  return needs.every(token => 'optional' in token || services.get(token.id) !== undefined)
}

function setUp(plugin: Plugin, run: () => unknown): Contribution<Provides> | BootProblem {
  const failed = (cause: string, remedy: string) => ({ plugin: plugin.name, cause, remedy })
  try {
    const contribution: unknown = runStep({ plugin: plugin.name, what: 'its setup' }, () => runInTime(run))
    if (contribution instanceof Promise) {
      // Its failure must not end the process before the problem is told.
      contribution.catch(() => undefined)
      return failed('its setup is asynchronous', 'Return the contribution itself: setup wires and does no I/O.')
    }
    if (typeof contribution !== 'object' || contribution === null) {
      return failed('its setup returns nothing', 'Return what the plugin brings, at least {}.')
    }
    const fault = faultOfLists(contribution as Contribution<Provides>)
    return fault === undefined ? (contribution as Contribution<Provides>) : failed(fault.cause, fault.remedy)
  } catch (error) {
    if (error instanceof OutOfTime)
      return failed(`its setup did not come back within ${startSeconds()} s`, 'Let setup only wire, or remove it.')
    return failed(`its setup failed (${messageOf(error)})`, 'Repair it, or remove it from plugins.config.json.')
  }
}

/** Plugins in JavaScript bring whatever they bring. */
function faultOfLists(contribution: Contribution<Provides>): { cause: string; remedy: string } | undefined {
  const lists = ['jobs', 'subscriptions', 'checks', 'metrics'] as const
  const other = lists.find(part => contribution[part] !== undefined && !Array.isArray(contribution[part]))
  if (other !== undefined)
    return { cause: `its ${other} are not a list`, remedy: `Return a list: { ${other}: [ … ] }.` }
  const isCheck = (check: unknown) => {
    const { name, run } = (check ?? {}) as { name?: unknown; run?: unknown }
    return typeof name === 'string' && name.trim() !== '' && typeof run === 'function'
  }
  return contribution.checks?.every(isCheck) === false
    ? { cause: 'one of its checks is not { name, run }', remedy: 'Give each check a name, and a function that looks.' }
    : undefined
}

const brokenPromise = (plugin: Plugin, name: string): BootProblem => ({
  plugin: plugin.name,
  cause: `it promises the service ${JSON.stringify(name)} and does not give it`,
  remedy: 'Return it from setup, under services.'
})

/** Names that are brought twice: by plugins, or by one and the kernel. */
function takenNames(
  loaded: readonly LoadedPlugin[],
  what: string,
  ofKernel: readonly string[],
  namesOf: (contribution: Contribution<Provides>) => readonly string[]
): BootProblem[] {
  const owner = new Map(ofKernel.map(name => [name, kernelOwner]))
  return loaded.flatMap(({ plugin, contribution }) =>
    namesOf(contribution).flatMap(name => {
      const first = owner.get(name)
      if (first === undefined) owner.set(name, plugin.name)
      return first === undefined ? [] : [taken(plugin.name, what, name, first)]
    })
  )
}

function registerJobs(jobs: Pick<Jobs, 'register'>, { plugin, contribution }: LoadedPlugin): BootProblem[] {
  const wrong = [contribution.jobs ?? []].flat().flatMap(({ type, options }) => {
    const fault = options?.cron === undefined ? null : cronFault(String(options.cron))
    const remedy = 'Give it five fields in UTC: minute, hour, day of the month, month, day of the week.'
    return fault === null
      ? []
      : [{ plugin: plugin.name, cause: `the cron of its job ${type} is wrong: ${fault}`, remedy }]
  })
  if (wrong.length > 0) return wrong
  try {
    jobs.register(plugin.name, contribution.jobs ?? [], contribution.subscriptions ?? [])
    return []
  } catch (error) {
    const remedy = 'Name each kind of job once, and handle an event in one place.'
    return [{ plugin: plugin.name, cause: `its jobs cannot be taken (${messageOf(error)})`, remedy }]
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
