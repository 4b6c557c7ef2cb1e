import { type BootProblem, duplicatesIn } from '../contract/boot-error.ts'
import type { Commands, SingleCommand } from '../contract/command.ts'
import type { Job, JobOptions, Subscription } from '../contract/jobs.ts'
import type { Contribution, Plugin } from '../contract/plugin.ts'
import type { Provides } from '../contract/services.ts'
import { cronFault } from '../jobs/cron.ts'
import { maxTimeoutSeconds } from '../jobs/install.ts'
import { isObject } from '../unknown.ts'
import { aCount, aFunction, aNumber, anId, fieldProblems, type KnownFields } from './known-fields.ts'

/** A plugin with what it brought. */
export interface LoadedPlugin {
  readonly plugin: Plugin
  readonly contribution: Contribution<Provides>
}

/** Names that the program around the kernel has taken already. */
export interface ReservedNames {
  /** Groups of commands. */
  readonly commands: readonly string[]
  readonly checks: readonly string[]
}

/** What is wrong with the form of what a `setup` returned: a plugin in JavaScript returns anything. */
export function faultOfContribution(contribution: unknown): { cause: string; remedy: string } | undefined {
  if (typeof contribution !== 'object' || contribution === null)
    return { cause: 'its setup returns nothing', remedy: 'Return what the plugin brings, at least {}.' }
  const parts = contribution as Contribution<Provides>
  const lists = ['jobs', 'subscriptions', 'checks', 'metrics'] as const
  const noList = lists.find(part => parts[part] !== undefined && !Array.isArray(parts[part]))
  if (noList !== undefined)
    return { cause: `its ${noList} are not a list`, remedy: `Return a list: { ${noList}: [ … ] }.` }
  const noObjects = (['jobs', 'subscriptions', 'metrics'] as const).find(part => parts[part]?.every(isObject) === false)
  if (noObjects !== undefined)
    return { cause: `one of its ${noObjects} is no object`, remedy: `Check what is listed under ${noObjects}.` }
  const { routes, graphql, isReady, onRestore, commands = {} } = parts
  const functions = Object.entries({ routes, graphql, isReady, onRestore })
  const noFunction = functions.find(([, part]) => part !== undefined && typeof part !== 'function')?.[0]
  if (noFunction !== undefined)
    return { cause: `its ${noFunction} is no function`, remedy: `Return ${noFunction} as a function, or leave it out.` }
  if (!isObject(commands) || !Object.values(commands).every(isObject))
    return { cause: 'its commands are not objects by name', remedy: 'Return { commands: { name: { describe, … } } }.' }
  if (parts.checks?.every(isCheck) === false)
    return { cause: 'one of its checks is not { name, run }', remedy: 'Give each a name, and a function that looks.' }
  return undefined
}

const isCheck = (check: unknown): boolean =>
  isObject(check) && typeof check.name === 'string' && check.name.trim() !== '' && typeof check.run === 'function'

/** What is wrong with what plugins brought, seen beside each other. */
export const contributionProblems = (loaded: readonly LoadedPlugin[], reserved: ReservedNames): BootProblem[] => [
  ...duplicatesIn(
    'command group',
    loaded,
    namesIn(({ commands = {} }) => Object.keys(commands)),
    reserved.commands
  ),
  ...duplicatesIn(
    'check',
    loaded,
    namesIn(({ checks = [] }) => checks.map(({ name }) => name)),
    reserved.checks
  ),
  ...loaded.flatMap(declarationProblems),
  ...loaded.flatMap(cronProblems),
  ...loaded.flatMap(metricProblems)
]

const namesIn =
  (namesOf: (contribution: Contribution<Provides>) => readonly string[]) =>
  ({ plugin, contribution }: LoadedPlugin) => ({ plugin: plugin.name, keys: namesOf(contribution) })

const contributionFields: KnownFields<Contribution<Provides>> = {
  services: true,
  routes: true,
  graphql: true,
  commands: true,
  jobs: true,
  subscriptions: true,
  checks: true,
  metrics: true,
  isReady: true,
  onRestore: true
}
const handle = { ...aFunction, isRequired: true } as const
const jobFields: KnownFields<Job> = { type: anId, options: true, handle }
const optionFields: KnownFields<JobOptions<never>> = {
  concurrency: aNumber(1),
  retries: aNumber(0),
  retryDelaySeconds: aNumber(0),
  timeoutSeconds: aNumber(1, maxTimeoutSeconds),
  maxDeaths: aNumber(1),
  isEndless: true,
  isResumable: true,
  cron: true,
  onDeadLetter: aFunction,
  onRetry: aFunction
}
const subscriptionFields: KnownFields<Subscription> = { event: anId, maxBatch: aCount, handle }
const groupFields: KnownFields<Commands & SingleCommand> = { describe: true, load: true, loadCommand: true }

/** Fields that nobody reads, and those of another form than is read. */
function declarationProblems({ plugin: { name }, contribution }: LoadedPlugin): BootProblem[] {
  const { jobs = [], subscriptions = [], commands = {} } = contribution
  const problemsIn = (declared: unknown, known: KnownFields<object>, what: string, kind: string, isOptions = false) =>
    fieldProblems(name, { what, kind, declared, isOptions }, known)
  return [
    ...problemsIn(contribution, contributionFields, 'its setup', 'what setup returns'),
    ...jobs.flatMap(job => [
      ...problemsIn(job, jobFields, `its job ${job.type}`, 'a job'),
      ...problemsIn(job.options, optionFields, `its job ${job.type}`, 'a job', true)
    ]),
    ...subscriptions.flatMap(each =>
      problemsIn(each, subscriptionFields, `its subscription to ${each.event}`, 'a subscription')
    ),
    ...Object.entries(commands).flatMap(([group, declared]) =>
      problemsIn(declared, groupFields, `its command ${group}`, 'a command or a group')
    )
  ]
}

function cronProblems({ plugin, contribution: { jobs = [] } }: LoadedPlugin): BootProblem[] {
  return jobs.flatMap(({ type, options }) => {
    const fault = options?.cron === undefined ? null : cronFault(String(options.cron))
    if (fault === null) return []
    const remedy = 'Give it five fields in UTC: minute, hour, day of the month, month, day of the week.'
    return [{ plugin: plugin.name, cause: `the cron of its job ${type} is wrong: ${fault}`, remedy }]
  })
}

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/

/** A scraper refuses the whole answer for one wrong name. */
function metricProblems({ plugin, contribution: { metrics = [] } }: LoadedPlugin): BootProblem[] {
  const remedy = 'Use letters, digits, _ and :, and begin with no digit, such as posts_overdue.'
  return metrics
    .filter(({ name }) => typeof name !== 'string' || !metricName.test(name))
    .map(({ name }) => ({
      plugin: plugin.name,
      cause: `the name of its metric ${JSON.stringify(name)} is none that Prometheus takes`,
      remedy
    }))
}
