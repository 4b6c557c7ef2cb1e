import type { Jobs } from './jobs.ts'
import { ownFirst } from './loader.ts'
import { BootError, type BootProblem, taken } from './order.ts'
import type { Contribution, Needs, Plugin, Provides } from './plugin.ts'
import { type Services, takeServices } from './services.ts'
import { OutOfTime, runInTime, startSeconds } from './start-deadline.ts'
import { runStep } from './start-steps.ts'

/** A plugin with what it brought. */
export interface LoadedPlugin {
  readonly plugin: Plugin
  readonly contribution: Contribution<Provides>
}

type SetupContext = Parameters<Plugin['setup']>[0]

/** Groups and commands of the CLI that are the kernel's own. */
const kernelCommands = [
  ...['serve', 'worker', 'setup', 'migrate', 'plugins', 'settings', 'doctor', 'backup', 'demo', 'completion', 'jobs'],
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
  problems.push(...takenCommands(inTurn), ...inTurn.flatMap(part => registerJobs(jobs, part)))
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
    return contribution as Contribution<Provides>
  } catch (error) {
    if (error instanceof OutOfTime)
      return failed(`its setup did not come back within ${startSeconds()} s`, 'Let setup only wire, or remove it.')
    return failed(`its setup failed (${messageOf(error)})`, 'Repair it, or remove it from plugins.config.json.')
  }
}

const brokenPromise = (plugin: Plugin, name: string): BootProblem => ({
  plugin: plugin.name,
  cause: `it promises the service ${JSON.stringify(name)} and does not give it`,
  remedy: 'Return it from setup, under services.'
})

function takenCommands(loaded: readonly LoadedPlugin[]): BootProblem[] {
  const owner = new Map(kernelCommands.map(name => [name, 'the kernel']))
  return loaded.flatMap(({ plugin, contribution }) =>
    Object.keys(contribution.commands ?? {}).flatMap(group => {
      const first = owner.get(group)
      if (first === undefined) owner.set(group, plugin.name)
      return first === undefined ? [] : [taken(plugin.name, 'command group', group, first)]
    })
  )
}

function registerJobs(jobs: Pick<Jobs, 'register'>, { plugin, contribution }: LoadedPlugin): BootProblem[] {
  try {
    jobs.register(plugin.name, contribution.jobs ?? [], contribution.subscriptions ?? [])
    return []
  } catch (error) {
    const remedy = 'Name each kind of job once, and handle an event in one place.'
    return [{ plugin: plugin.name, cause: `its jobs cannot be taken (${messageOf(error)})`, remedy }]
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
