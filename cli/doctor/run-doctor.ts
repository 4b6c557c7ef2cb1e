import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../../core/config.ts'
import { critical, type Finding, ok, skipped } from '../../core/contract/check.ts'
import type { Terminal } from '../../core/contract/command.ts'
import type { Db } from '../../core/contract/database.ts'
import { AppError } from '../../core/contract/errors.ts'
import type { Kernel } from '../../core/kernel/kernel.ts'
import type { Log } from '../../core/log.ts'
import { asError, messageOf } from '../../core/unknown.ts'
import { version } from '../../core/version.ts'
import { unreachableFinding } from '../checks/database-checks.ts'
import type { DiagnosisTarget } from '../checks/diagnose.ts'
import { type CheckResult, resultOf, sentence } from '../checks/report.ts'
import { loadConfig } from '../config/config.ts'
import { findHome } from '../config/home.ts'
import { type DataFault, findDataFault } from '../database/data-folder.ts'
import { type HomeLock, lockHome, readOwnerPid } from '../database/home-lock.ts'
import { openDatabase } from '../database/open.ts'
import { refuseTransactionPooling } from '../database/pooler.ts'
import { databaseName } from '../database/postgres/server-name.ts'
import { commandLog, wireKernel } from '../open-kernel.ts'
import { connectOwner, type Owner } from '../owner/remote.ts'
import { type Diagnosis, diagnosisOf } from './diagnosis.ts'
/** Examines what is configured: in the process that owns the home, or here. */
export async function runDoctor(
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
  config: Config | AppError
): Promise<Diagnosis> {
  const home = findHome(env)
  const target = { home, config, now: () => new Date() }
  if (config instanceof AppError) {
    const database = skipped('without a configuration it is not known')
    return diagnosisOf(home, { ...target, database, kernel: await tryWire(env, terminal.cwd) })
  }
  const found = config.databaseUrl === undefined ? await findService(home) : {}
  if (found.owner !== undefined) return askOwner(found.owner, terminal)
  const { more = [] } = found
  if (found.fault !== undefined)
    return diagnosisOf(home, {
      ...target,
      more,
      database: found.fault,
      kernel: await tryWire(env, terminal.cwd, config)
    })
  return runDoctorHere(env, config, { target, more, lock: found.lock })
}

async function runDoctorHere(
  env: NodeJS.ProcessEnv,
  config: Config,
  {
    target,
    more,
    lock
  }: { target: Omit<DiagnosisTarget, 'database' | 'kernel'>; more: CheckResult[]; lock?: HomeLock | undefined }
): Promise<Diagnosis> {
  const name = databaseName(config.databaseUrl)
  const opened = await open(config, commandLog({ ...env, LOG_LEVEL: 'silent' })).catch(error => ({
    fault: unreachableFinding(name, error)
  }))
  try {
    if ('fault' in opened)
      return await diagnosisOf(config.home, {
        ...target,
        more,
        database: opened.fault,
        kernel: await tryWire(env, '', config)
      })
    const kernel = await tryWire(env, '', config, opened.db)
    return await diagnosisOf(config.home, { ...target, more, database: { db: opened.db, name }, kernel })
  } finally {
    if ('db' in opened) await opened.db.close()
    lock?.release()
  }
}

export function readConfig(env: NodeJS.ProcessEnv, cwd: string): Config | AppError {
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

const startTimeoutMs = 5_000

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
  const deadline = Date.now() + startTimeoutMs
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
        : unreachableFinding('the lock of the home', error)
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
  const diagnosis: Diagnosis = JSON.parse(text)
  return diagnosis
}

/** The plugins, wired; without a database they can still tell what is wrong with themselves. */
async function tryWire(env: NodeJS.ProcessEnv, cwd: string, config?: Config, db?: Db): Promise<Kernel | Error> {
  const { placeholderConfig, closedDb } = await import('../database/closed.ts')
  const { pluginsConfigPath } = await import('../config/plugins-config.ts')
  const used = config ?? placeholderConfig(pluginsConfigPath(env.GALLEY_PLUGINS, cwd))
  try {
    return await wireKernel(used, db ?? closedDb, commandLog({ ...env, LOG_LEVEL: 'silent' }))
  } catch (error) {
    return asError(error)
  }
}
