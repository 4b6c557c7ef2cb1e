import type { Config } from '../../core/config.ts'
import { ok } from '../../core/contract/check.ts'
import { type CommandGroup, command, type Terminal } from '../../core/contract/command.ts'
import type { Kernel } from '../../core/kernel/kernel.ts'
import { localizeInstants } from '../../time/instant.ts'
import { doctorDescribe } from '../checks/check-names.ts'
import { resultOf } from '../checks/report.ts'
import { databaseName } from '../database/postgres/server-name.ts'
import { paint, table } from '../framework/table.ts'
import { type Diagnosis, diagnosisOf } from './diagnosis.ts'
import { checkPlugins, withPlugins } from './plugin-check.ts'
import { readConfig, runDoctor } from './run-doctor.ts'

const definition = {
  describe: doctorDescribe,
  args: {},
  text: showReport,
  exitStatus: ({ status }: Diagnosis) => ({ healthy: 0, degraded: 1, critical: 2 })[status],
  returns: 'Diagnosis',
  exitStatuses: { 0: 'healthy', 1: 'degraded', 2: 'critical' }
}

/** `galley doctor`: works whatever is broken, and beside a running server. It changes nothing. */
export const doctorCommand = (env: NodeJS.ProcessEnv): CommandGroup[string] =>
  command({
    ...definition,
    run: async ({ terminal }) => {
      const config = readConfig(env, terminal.cwd)
      return withPlugins(await runDoctor(env, terminal, config), await checkPlugins(config, env, terminal.cwd))
    }
  })

/** The same in the process that has everything open. */
export const ownerDoctorCommand = (kernel: Kernel, config: Config): CommandGroup[string] =>
  command({
    ...definition,
    run: async () =>
      diagnosisOf(config.home, {
        home: config.home,
        config,
        kernel,
        now: () => new Date(),
        database: { db: kernel.db, name: databaseName(config.databaseUrl) },
        more: [resultOf('service', ok(`process ${process.pid} runs it`))]
      })
  })

const colours = { ok: 'green', degraded: 'yellow', critical: 'red', skipped: 'bold' } as const

function showReport({ status, score, operator_timezone: zone, causes, checks }: Diagnosis, terminal: Terminal): string {
  const lines = causes.flatMap(({ name, status, found, remedy }) => [
    `${paint(status.toUpperCase(), colours[status], terminal)}  ${name}: ${localizeInstants(found, zone)}`,
    ...(remedy === null ? [] : [`          → ${remedy}`])
  ])
  const rows = checks.map(({ name, status, found }) => [name, status, localizeInstants(found, zone)])
  return [
    ...lines,
    ...(lines.length > 0 ? [''] : []),
    table([{ heading: 'CHECK' }, { heading: 'STATUS' }, { heading: 'FOUND', isText: true }], rows, terminal),
    '',
    `${status}, score ${score} of 100`
  ].join('\n')
}
