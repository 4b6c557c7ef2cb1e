import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../../core/config.ts'
import { type Command, command, type Terminal } from '../../core/contract/command.ts'
import { AppError } from '../../core/contract/errors.ts'
import type { Db } from '../../core/db/db.ts'
import { databaseName } from '../../core/db/postgres/server-name.ts'
import { critical, degraded, type Finding, ok, skipped } from '../../core/health/check.ts'
import { findHome } from '../../core/home.ts'
import type { Kernel } from '../../core/kernel/lifecycle.ts'
import type { Log } from '../../core/log.ts'
import { inZone } from '../../core/time.ts'
import { version } from '../../core/version.ts'
import { loadConfig } from '../config.ts'
import { type DataFault, findDataFault } from '../database/data-folder.ts'
import { type HomeLock, lockHome, readOwnerPid } from '../database/home-lock.ts'
import { openDatabase } from '../database/open.ts'
import { refuseTransactionPooling } from '../database/pooler.ts'
import { paint, table } from '../framework/table.ts'
import { commandLog, wireKernel } from '../open-kernel.ts'
import { connectOwner, type Owner } from '../owner/remote.ts'
import { unreachable } from './database-checks.ts'
import { doctorDescribe } from './describe.ts'
import { diagnose, type Patient } from './diagnose.ts'
import { type CheckResult, messageOf, type Report, reportOf, resultOf, sentence } from './report.ts'

/** What `galley doctor` answers. */
export interface Diagnosis extends Report {
  home: string
  version: string
  /** The zone that people read the times in. */
  operator_timezone: string
}

const definition = {
  describe: doctorDescribe,
  args: {},
  text: showReport,
  exit: ({ status }: Diagnosis) => ({ healthy: 0, degraded: 1, critical: 2 })[status],
  returns: 'Diagnosis',
  exits: { 0: 'healthy', 1: 'degraded', 2: 'critical' }
}

/** `galley doctor`: works whatever is broken, and beside a running server. It changes nothing. */
export const doctorCommand = (env: NodeJS.ProcessEnv): Command =>
  command({
    ...definition,
    run: async ({ terminal }) => {
      const config = readConfig(env, terminal.cwd)
      return withPlugins(await examine(env, terminal, config), await examinePlugins(config, env, terminal.cwd))
    }
  }) as Command

/** The same in the process that has everything open. */
export const ownerDoctorCommand = (kernel: Kernel, config: Config): Command =>
  command({
    ...definition,
    run: async () =>
      diagnosisOf(config.home, {
        ...{ home: config.home, config, kernel, now: () => new Date() },
        database: { db: kernel.db, name: databaseName(config.databaseUrl) },
        more: [resultOf('service', ok(`process ${process.pid} runs it`))]
      })
  }) as Command

const diagnosisOf = async (home: string, patient: Patient): Promise<Diagnosis> => ({
  ...(await diagnose(patient)),
  home,
  version,
  // Read by then, where they can be.
  operator_timezone: patient.kernel instanceof Error ? 'UTC' : patient.kernel.settings.value('operator_timezone')
})

/** What a start would say. Here, beside a running server too: its own plugins started, perhaps by another configuration. */
async function examinePlugins(config: Config | AppError, env: NodeJS.ProcessEnv, cwd: string): Promise<Finding> {
  const [{ inspectConfig }, { pluginsConfigPath }] = await Promise.all([
    import('../plugins/inspection.ts'),
    import('../../core/paths.ts')
  ])
  const path = config instanceof AppError ? pluginsConfigPath(env.GALLEY_PLUGINS, cwd) : config.pluginsConfigPath
  const again = `Then examine ${path} with galley plugins doctor.`
  try {
    const { problems, isRefused } = await inspectConfig(path)
    if (problems.length === 0) return ok('')
    const found = listed(problems.map(({ plugin, cause }) => `${plugin}: ${cause}`))
    const remedies = [...new Set(problems.map(({ remedy }) => remedy))]
    return isRefused
      ? critical(`A start would be refused. ${found}`, [...remedies, again].join(' '))
      : degraded(found, [...remedies, again].join(' '))
  } catch (error) {
    return critical(`The plugins cannot be examined: ${messageOf(error)}`, `Repair what is named. ${again}`)
  }
}

const shownProblems = 5

function listed(problems: readonly string[]): string {
  const rest = problems.length - shownProblems
  return `${problems.slice(0, shownProblems).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`
}

function withPlugins(diagnosis: Diagnosis, finding: Finding): Diagnosis {
  if (finding.status === 'ok') return diagnosis
  const checks = diagnosis.checks.map(check => {
    // What stops them here may be another thing than what is found without a home.
    const isWorse = check.status === 'critical' && finding.status !== 'critical'
    return check.name === 'plugins' && !isWorse ? resultOf('plugins', finding) : check
  })
  return { ...diagnosis, ...reportOf(checks) }
}

async function examine(env: NodeJS.ProcessEnv, terminal: Terminal, config: Config | AppError): Promise<Diagnosis> {
  const home = findHome(env)
  const patient = { home, config, now: () => new Date() }
  if (config instanceof AppError) {
    const database = skipped('without a configuration it is not known')
    return diagnosisOf(home, { ...patient, database, kernel: await tryWire(env, terminal.cwd) })
  }
  const found = config.databaseUrl === undefined ? await findService(home) : {}
  if (found.owner !== undefined) return askOwner(found.owner, terminal)
  const { more = [] } = found
  if (found.fault !== undefined)
    return diagnosisOf(home, {
      ...patient,
      more,
      database: found.fault,
      kernel: await tryWire(env, terminal.cwd, config)
    })
  return examineHere(env, config, { patient, more, lock: found.lock })
}

async function examineHere(
  env: NodeJS.ProcessEnv,
  config: Config,
  {
    patient,
    more,
    lock
  }: { patient: Omit<Patient, 'database' | 'kernel'>; more: CheckResult[]; lock?: HomeLock | undefined }
): Promise<Diagnosis> {
  const name = databaseName(config.databaseUrl)
  const opened = await open(config, commandLog({ ...env, LOG_LEVEL: 'silent' })).catch(error => ({
    fault: unreachable(name, error)
  }))
  try {
    if ('fault' in opened)
      return await diagnosisOf(config.home, {
        ...{ ...patient, more },
        database: opened.fault,
        kernel: await tryWire(env, '', config)
      })
    const kernel = await tryWire(env, '', config, opened.db)
    return await diagnosisOf(config.home, { ...patient, more, database: { db: opened.db, name }, kernel })
  } finally {
    if ('db' in opened) await opened.db.close()
    lock?.release()
  }
}

function readConfig(env: NodeJS.ProcessEnv, cwd: string): Config | AppError {
  try {
    return loadConfig(env, cwd)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

async function open(config: Config, log: Log): Promise<{ db: Db } | { fault: Finding }> {
  const { home, databaseUrl } = config
  if (databaseUrl !== undefined) await refuseTransactionPooling(databaseUrl)
  return { db: await openDatabase({ home, log, max: 3, ...(databaseUrl === undefined ? {} : { url: databaseUrl }) }) }
}

const startPatienceMs = 5_000

interface Found {
  owner?: Owner
  lock?: HomeLock
  fault?: Finding
  more?: CheckResult[]
}

/**
 * The server of an embedded installation, or its database's lock; a server that starts gets a moment. What cannot be
 * opened is not locked either: nothing is written to a home that is damaged.
 */
async function findService(home: string): Promise<Found> {
  if (!existsSync(home)) return { more: [resultOf('service', skipped('there is no home'))] }
  const deadline = Date.now() + startPatienceMs
  for (;;) {
    try {
      const owner = await connectOwner({ home, version })
      if (owner !== null) return { owner }
      const damage = findDataFault(home)
      if (damage !== null) return { fault: damageFound(damage), more: [resultOf('service', ok('no server runs'))] }
      return { lock: lockHome(home), more: [resultOf('service', ok('no server runs'))] }
    } catch (error) {
      if (Date.now() < deadline && error instanceof AppError && error.code === 'CONFLICT' && isHeld(home)) {
        await wait(100)
        continue
      }
      const fault = isHeld(home)
        ? critical(messageOf(error), `Restart the server (process ${readOwnerPid(home) ?? 'unknown'}).`)
        : unreachable('the lock of the home', error)
      return { fault: skipped('another process has it'), more: [resultOf('service', fault)] }
    }
  }
}

const damageFound = ({ found, remedy }: DataFault): Finding => critical(`${found}.`, sentence(remedy))

/** Held by a process that does not listen: a version's refusal needs no second look. */
const isHeld = (home: string): boolean => readOwnerPid(home) !== undefined

async function askOwner(owner: Owner, terminal: Terminal): Promise<Diagnosis> {
  let text = ''
  await owner.run(['doctor', '--json'], {
    terminal,
    print: line => {
      text += line
    },
    actor: 'operator',
    debug: false
  })
  return JSON.parse(text) as Diagnosis
}

/** The plugins, wired; without a database they can still tell what is wrong with themselves. */
async function tryWire(env: NodeJS.ProcessEnv, cwd: string, config?: Config, db?: Db): Promise<Kernel | Error> {
  const { placeholderConfig, closedDb } = await import('../database/closed.ts')
  const { pluginsConfigPath } = await import('../../core/paths.ts')
  const used = config ?? placeholderConfig(pluginsConfigPath(env.GALLEY_PLUGINS, cwd))
  try {
    return await wireKernel(used, db ?? closedDb, commandLog({ ...env, LOG_LEVEL: 'silent' }))
  } catch (error) {
    return error as Error
  }
}

const colours = { ok: 'green', degraded: 'yellow', critical: 'red', skipped: 'bold' } as const

function showReport({ status, score, operator_timezone: zone, causes, checks }: Diagnosis, terminal: Terminal): string {
  const lines = causes.flatMap(({ name, status, found, remedy }) => [
    `${paint(status.toUpperCase(), colours[status], terminal)}  ${name}: ${inZone(found, zone)}`,
    ...(remedy === null ? [] : [`          → ${remedy}`])
  ])
  const rows = checks.map(({ name, status, found }) => [name, status, inZone(found, zone)])
  return [
    ...lines,
    ...(lines.length > 0 ? [''] : []),
    table([{ heading: 'CHECK' }, { heading: 'STATUS' }, { heading: 'FOUND', isText: true }], rows, terminal),
    '',
    `${status}, score ${score} of 100`
  ].join('\n')
}
