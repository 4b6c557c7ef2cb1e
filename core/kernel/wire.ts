import { BootError, type BootProblem } from '../contract/boot-error.ts'
import type { Contribution, Plugin } from '../contract/plugin.ts'
import type { Provides, Service } from '../contract/services.ts'
import type { DatabaseGuard } from '../isolation/database-guard.ts'
import { runSyncWithDeadline, StartTimeoutError, startSeconds } from '../isolation/deadline.ts'
import { runStep } from '../isolation/steps.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Log } from '../log.ts'
import { messageOf } from '../unknown.ts'
import {
  contributionProblems,
  faultOfContribution,
  type LoadedPlugin,
  type ReservedNames
} from './contribution-rules.ts'
import type { CoreComponents } from './core-components.ts'
import { needsOf, providesOf } from './manifest.ts'
import { thirdPartiesLast } from './origin.ts'

/** Services by token id. */
export type Services = ReadonlyMap<string, unknown>

/** A service has the type of its token: its plugin was held to that when it was compiled. */
export const serviceIn = <T>(services: Services, { id }: Service<T>): T | undefined => services.get(id) as T | undefined

interface WireDeps {
  core: CoreComponents
  guard: DatabaseGuard
  log: Log
  now: () => Date
  reserved: ReservedNames
}

/**
 * Runs each plugin's `setup`, in order, and takes what it brings. Third parties are last in `loaded`.
 * @throws BootError naming every plugin that fails, breaks its promise or brings what is taken.
 */
export function wirePlugins(
  ordered: readonly Plugin[],
  deps: WireDeps
): { loaded: LoadedPlugin[]; services: Services } {
  const { core, guard, reserved } = deps
  const services = new Map<string, unknown>()
  const problems: BootProblem[] = []
  const started: LoadedPlugin[] = []
  for (const plugin of ordered) {
    // The plugin it needs failed and is reported: this one is not at fault.
    if (!canStart(plugin, services)) continue
    const context = contextOf(plugin, services, deps)
    const result = setUp(plugin, () => guard.run(plugin.name, () => plugin.setup(context)))
    if ('contribution' in result) {
      problems.push(...takeServices(services, result))
      started.push(result)
    } else problems.push(result)
  }
  const loaded = thirdPartiesLast(started, ({ plugin }) => plugin)
  problems.push(...contributionProblems(loaded, reserved), ...loaded.flatMap(each => registerJobs(core.jobs, each)))
  if (problems.length > 0) throw new BootError(problems)
  return { loaded, services }
}

function canStart(plugin: Plugin, services: Services): boolean {
  return Object.values(needsOf(plugin)).every(token => 'optional' in token || services.get(token.id) !== undefined)
}

/** What a plugin's `setup` is given. */
function contextOf(plugin: Plugin, services: Services, { core, guard, log, now }: WireDeps) {
  const needs = Object.entries(needsOf(plugin))
  const { jobs, changes, installation } = core
  return {
    needs: Object.fromEntries(needs.map(([name, token]) => [name, services.get(token.id)])),
    settings: core.settings.reader(plugin.settings ?? {}),
    log: log.child({ plugin: plugin.name }),
    emit: jobs.emit,
    enqueue: jobs.enqueue,
    db: guard.db,
    changes,
    installation,
    now
  }
}

function setUp(plugin: Plugin, run: () => unknown): LoadedPlugin | BootProblem {
  const failed = (cause: string, remedy: string) => ({ plugin: plugin.name, cause, remedy })
  try {
    const contribution: unknown = runStep({ plugin: plugin.name, what: 'its setup' }, () => runSyncWithDeadline(run))
    if (contribution instanceof Promise) {
      // Its failure must not end the process before the problem is reported.
      contribution.catch(() => undefined)
      return failed('its setup is asynchronous', 'Return the contribution itself: setup wires and does no I/O.')
    }
    const fault = faultOfContribution(contribution)
    if (fault !== undefined) return failed(fault.cause, fault.remedy)
    return { plugin, contribution: contribution as Contribution<Provides> }
  } catch (error) {
    if (error instanceof StartTimeoutError)
      return failed(`its setup did not come back within ${startSeconds()} s`, 'Let setup only wire, or remove it.')
    return failed(`its setup failed (${messageOf(error)})`, 'Repair it, or remove it from plugins.config.json.')
  }
}

/** Takes the services that a plugin promised. Each that it does not give is a problem. */
function takeServices(services: Map<string, unknown>, { plugin, contribution }: LoadedPlugin): BootProblem[] {
  return Object.entries(providesOf(plugin)).flatMap(([name, token]) => {
    const service: unknown = contribution.services?.[name]
    services.set(token.id, service)
    if (service !== undefined) return []
    const cause = `it promises the service ${JSON.stringify(name)} and does not give it`
    return [{ plugin: plugin.name, cause, remedy: 'Return it from setup, under services.' }]
  })
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
