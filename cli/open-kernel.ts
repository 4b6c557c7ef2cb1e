import type { Config } from '../core/config.ts'
import type { Db } from '../core/db/db.ts'
import type { HomeLock } from '../core/db/home-lock.ts'
import { openDatabase } from '../core/db/open.ts'
import type { Kernel } from '../core/kernel.ts'
import { createLog, type Log } from '../core/log.ts'
import { sentencesTo } from './log-sentences.ts'

/** What a command opened, and how to let go of it. */
export interface Opened<T> {
  value: T
  close(): Promise<void>
}

/** A log for a command, whose stderr is for its user: warnings as sentences; with `LOG_LEVEL` set, JSON lines from there on. */
export const commandLog = (env: NodeJS.ProcessEnv): Log =>
  env.LOG_LEVEL ? createLog(env.LOG_LEVEL) : createLog('warn', sentencesTo(process.stderr))

/** Opens the database the configuration names; the embedded one under `lock`, which is released with it. */
export async function openLocked(config: Config, log: Log, lock: HomeLock | undefined): Promise<Opened<Db>> {
  try {
    const db = await openDatabase({
      home: config.home,
      log,
      ...(config.databaseUrl === undefined ? {} : { url: config.databaseUrl })
    })
    const close = async () => {
      await db.close()
      lock?.release()
    }
    return { value: db, close }
  } catch (error) {
    lock?.release()
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
  const [{ boot }, { loadPlugins }] = await Promise.all([import('../core/kernel.ts'), import('../core/loader.ts')])
  return boot({ config, db, log, plugins: await loadPlugins(config.pluginsConfigPath) })
}
