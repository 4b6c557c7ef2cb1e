import type { Config } from '../../core/config.ts'
import {
  type Check,
  type CheckContext,
  critical,
  degraded,
  type Finding,
  ok,
  skipped
} from '../../core/contract/check.ts'
import type { Db } from '../../core/contract/database.ts'
import type { AppError } from '../../core/contract/errors.ts'
import { runSyncWithDeadline } from '../../core/isolation/deadline.ts'
import { runStep, withWatchdog } from '../../core/isolation/steps.ts'
import { deadLetterQueue } from '../../core/jobs/repository.ts'
import type { LoadedPlugin } from '../../core/kernel/contribution-rules.ts'
import type { Kernel } from '../../core/kernel/kernel.ts'
import { originOf } from '../../core/kernel/origin.ts'
import { messageOf } from '../../core/unknown.ts'
import { createSchemaMigrator, migratorOf } from '../migrations/migrator.ts'
import { checkReachable, databaseChecks } from './database-checks.ts'
import { homeChecks } from './home-checks.ts'
import { proxyCheck } from './proxy-check.ts'
import { type CheckInquiry, type CheckResult, type Report, reportOf, resultOf, runChecks } from './report.ts'
import { listUnfinished } from './repository.ts'

export interface DiagnosisTarget {
  home: string
  config: Config | AppError
  /** Open, or what was found instead. */
  database: { db: Db; name: string } | Finding
  /** Wired plugins, or why there are none. */
  kernel: Kernel | Error
  /** Checks of the place it runs in, such as whether a server runs. */
  more?: readonly CheckResult[]
  /** True for the heartbeat: it leaves out the checks of third parties, of which one may loop with nobody there to stop it. */
  isUnattended?: boolean
  now: () => Date
}

/** Looks at everything that can be looked at; what depends on something broken is skipped and says so. */
export async function diagnose({
  home,
  config,
  database,
  kernel,
  more = [],
  isUnattended,
  now
}: DiagnosisTarget): Promise<Report> {
  const inquiry: CheckInquiry = {
    isUnattended: isUnattended === true,
    unfinished: async (...types) =>
      'db' in database
        ? await listUnfinished(
            database.db,
            types.map(({ id }) => id)
          )
        : []
  }
  const first = [...(await runChecks(homeChecks(home, config), inquiry)), ...more]
  const reachable = 'db' in database ? await checkReachable(database.db, database.name) : database
  first.push(resultOf('database', reachable), resultOf('plugins', pluginsFinding(kernel)))
  const skip = (why: string) => [...first, ...pluginChecks(kernel).map(({ name }) => resultOf(name, skipped(why)))]
  if (!('db' in database) || reachable.status !== 'ok' || !('home' in config))
    return reportOf(skip('the database cannot be reached'))
  const { db } = database
  const migrator = kernel instanceof Error ? createSchemaMigrator(db) : migratorOf(kernel)
  first.push(...(await runChecks(databaseChecks({ db, config, migrator, isWorked: isWorkedBy(kernel), now }), inquiry)))
  if (kernel instanceof Error || isBroken(first, 'migrations')) return reportOf(skip('the schema is not up to date'))
  if (isBroken(first, 'secrets')) return reportOf(skip('the settings cannot be read'))
  await kernel.settings.load()
  const ofService = await runChecks([settingsCheck(kernel), proxies(kernel, now), ...ownChecks(kernel)], inquiry)
  return reportOf([...first, ...ofService, ...(await runThirdPartyChecks(kernel, inquiry))])
}

const ownChecks = (kernel: Kernel): Check[] =>
  kernel.plugins.filter(({ plugin }) => originOf(plugin) !== 'third-party').flatMap(checksOf)

/** One after the other: one that loops would take the time of those beside it. */
async function runThirdPartyChecks(kernel: Kernel, inquiry: CheckInquiry): Promise<CheckResult[]> {
  const others = kernel.plugins.filter(({ plugin }) => originOf(plugin) === 'third-party')
  if (inquiry.isUnattended) return others.flatMap(checksOf).map(({ name }) => resultOf(name, skipped(onlyByHand)))
  const results: CheckResult[] = []
  for (const check of others.flatMap(watchedChecksOf)) results.push(...(await runChecks([check], inquiry)))
  return results
}

const isWorkedBy = (kernel: Kernel | Error) => (queue: string) =>
  kernel instanceof Error || queue === deadLetterQueue || kernel.jobs.handlers.find(queue) !== undefined

const onlyByHand = 'the check of another’s plugin: galley doctor runs it'

const isBroken = (results: readonly CheckResult[], name: string): boolean =>
  results.some(result => result.name === name && result.status === 'critical')

const pluginChecks = (kernel: Kernel | Error): readonly Check[] =>
  kernel instanceof Error ? [] : kernel.plugins.flatMap(checksOf)

const checksOf = ({ contribution }: LoadedPlugin): readonly Check[] => contribution.checks ?? []

/** The checks of a third party. One that blocks the event loop fails, or ends the process with the plugin's name. */
const watchedChecksOf = ({ plugin, contribution }: LoadedPlugin): Check[] =>
  checksOf({ plugin, contribution }).map(check => {
    const step = { plugin: plugin.name, what: `its check ${JSON.stringify(check.name)}` }
    const run = (context: CheckContext) => runStep(step, () => runSyncWithDeadline(() => check.run(context)))
    return { ...check, run: context => withWatchdog(step, async () => run(context)) }
  })

function pluginsFinding(kernel: Kernel | Error): Finding {
  if (kernel instanceof Error)
    return critical(
      messageOf(kernel).replaceAll(/\s*\n\s*/g, ' '),
      'Repair or remove the plugin named in plugins.config.json.'
    )
  return ok(kernel.plugins.map(({ plugin }) => plugin.name).join(', '))
}

const proxies = ({ db, settings }: Kernel, now: () => Date): Check =>
  proxyCheck({ db, now, trustedProxies: () => settings.value('trusted_proxies') })

/** A stored value may be older than its bounds, or a secret be for another host: the default is in use then. */
const settingsCheck = ({ settings }: Kernel): Check => ({
  name: 'settings',
  async run() {
    const faults = settings.list().flatMap(({ fault }) => fault ?? [])
    return faults.length === 0
      ? ok('all valid')
      : degraded(
          `Stored settings that are not in use: ${faults.join(' ')}`,
          'Set each again with galley settings set (a secret to an empty text where the new host needs none), or take it away with galley settings unset.'
        )
  }
})
