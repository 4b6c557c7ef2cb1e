import { isatty } from 'node:tty'
import type { Config } from '../core/config.ts'
import type { Db } from '../core/contract/database.ts'
import type { Kernel } from '../core/kernel/kernel.ts'
import type { Log } from '../core/log.ts'
import type { Report } from './checks/report.ts'
import type { HomeLock } from './database/home-lock.ts'
import { openDatabase } from './database/open.ts'
import { refuseTransactionPooling } from './database/pooler.ts'
import { databaseName } from './database/postgres/server-name.ts'
import { requireWritable } from './database/statement-faults.ts'
import { createLog } from './log/json-log.ts'
import { plainTextStream, terminalStream } from './log/streams.ts'

/** What a command opened, and how to let go of it. */
interface Opened<T> {
  value: T
  close(): Promise<void>
}

/** A log for a command, whose stderr is for its user: warnings as sentences; with `LOG_LEVEL` set, JSON lines from there on. */
export const commandLog = (env: NodeJS.ProcessEnv): Log =>
  env.LOG_LEVEL ? createLog(env.LOG_LEVEL) : createLog('warn', plainTextStream(process.stderr))

/** A log for a process that stays: JSON lines, but for a person at a terminal. */
export function serviceLog(level: string, env: NodeJS.ProcessEnv): Log {
  if (!isatty(2)) return createLog(level)
  const isPlain = (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb'
  return createLog(level, terminalStream(process.stderr, !isPlain))
}

/** Opens the database the configuration names; the embedded one under `lock`, which is released with it. `create` makes it. */
export async function openLocked(
  config: Config,
  log: Log,
  lock: HomeLock | undefined,
  create = false
): Promise<Opened<Db>> {
  try {
    const db = await openDatabase({
      home: config.home,
      log,
      create,
      ...(config.databaseUrl === undefined ? {} : { url: config.databaseUrl })
    })
    const close = () => db.close().finally(() => lock?.release())
    return { value: db, close }
  } catch (error) {
    lock?.release()
    throw error
  }
}

/** The same for a process that stays. @throws AppError when a pooler stands before the server that would break it, or it takes no changes */
export async function openForService(config: Config, log: Log, lock: HomeLock | undefined): Promise<Opened<Db>> {
  if (config.databaseUrl !== undefined) await refuseTransactionPooling(config.databaseUrl)
  const opened = await openLocked(config, log, lock)
  try {
    if (config.databaseUrl !== undefined) await requireWritable(opened.value)
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** Boots the plugins on an open database, for a process that `willStart` or for one command. @throws AppError when the database does not fit this release. */
export async function openKernel(config: Config, db: Db, log: Log, willStart = false): Promise<Kernel> {
  const kernel = await wireKernel(config, db, log)
  await kernel.open({ willStart })
  return kernel
}

/** The same without a look at the database, which need not be up to date. */
export async function wireKernel(config: Config, db: Db, log: Log): Promise<Kernel> {
  // Loaded here and not above: the database opens in a thread of its own while this one reads the code.
  const [{ bootService }, { loadPlugins }] = await Promise.all([import('./boot.ts'), import('../core/kernel/load.ts')])
  const plugins = await loadPlugins(config.pluginsConfigPath)
  return bootService({ config, db, log, plugins, report: kernel => report(kernel, config) })
}

/** The worker's own look at the service, with the checks of `galley doctor`. */
async function report(kernel: Kernel, config: Config): Promise<Report> {
  // A start need not wait for what is read once a cycle.
  const { diagnose } = await import('./checks/diagnose.ts')
  const database = { db: kernel.db, name: databaseName(config.databaseUrl) }
  return await diagnose({ home: config.home, config, kernel, database, now: () => new Date(), isUnattended: true })
}
