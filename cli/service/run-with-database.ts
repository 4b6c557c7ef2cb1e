import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../../core/config.ts'
import { UnavailableError } from '../../core/contract/errors.ts'
import type { Kernel } from '../../core/kernel/kernel.ts'
import type { Log } from '../../core/log.ts'
import { findHome, readVariables } from '../config/home.ts'
import type { HomeLock } from '../database/home-lock.ts'
import { type CliSession, runProgram } from '../framework/run.ts'
import type { HomeClaim } from '../owner/claim-home.ts'

interface Names {
  name: string
  version: string
  /** Refuses a wrong line before anything is opened here; an owner does so itself. @throws UsageError */
  check(): Promise<void>
}

/**
 * Runs a command where its database is: in the process that owns the embedded one when there is such a process,
 * else here. Loads what either needs only then, so that a command beside a server stays quick.
 */
export async function runWithDatabase(
  names: Names,
  argv: readonly string[],
  session: CliSession,
  env: NodeJS.ProcessEnv
): Promise<number> {
  const home = findHome(env)
  const isEmbedded = readVariables(env, home).DATABASE_URL === undefined
  const owner = isEmbedded ? await findOwner(home, names.version) : null
  if (owner !== null) return await owner.run(argv, session)
  await names.check()
  const [{ loadConfig }, { requireDatabase }, { claimHome }, { commandLog }] = await Promise.all([
    import('../config/config.ts'),
    import('../database/data-folder.ts'),
    import('../owner/claim-home.ts'),
    import('../open-kernel.ts')
  ])
  const config = loadConfig(env, session.terminal.cwd)
  // Before the home is locked, which writes a file there.
  if (isEmbedded) requireDatabase(home)
  const claim: Partial<HomeClaim> = isEmbedded
    ? await claimHome({ home, version: names.version, signal: session.terminal.signal })
    : {}
  if (claim.owner !== undefined) return await claim.owner.run(argv, session)
  return await runHere(names, argv, session, { config, log: commandLog(env), lock: claim.lock })
}

async function findOwner(home: string, version: string) {
  const { connectOwner } = await import('../owner/remote.ts')
  return await connectOwner({ home, version })
}

/** The groups of `installationProgram`. */
const worksOnAnySchema = ['migrate', 'backup']

interface Place {
  config: Config
  log: Log
  lock: HomeLock | undefined
}

async function runHere(
  names: Names,
  argv: readonly string[],
  session: CliSession,
  { config, log, lock }: Place
): Promise<number> {
  const [{ openLocked, openKernel, wireKernel }, { installationProgram, kernelProgram }] = await Promise.all([
    import('../open-kernel.ts'),
    import('../kernel-program.ts')
  ])
  const { value: db, close } = await openLocked(config, log, lock)
  let kernel: Kernel | undefined
  const end = async () => {
    await kernel?.settings.whenIdle()
    await close()
  }
  try {
    if (worksOnAnySchema.includes(argv.find(word => !word.startsWith('-')) ?? '')) {
      const wired = await wireKernel(config, db, log)
      const zone = await readZone(wired)
      const program = installationProgram(wired, config)
      return await runProgram({ ...names, program, timeZone: () => zone }, argv, session)
    }
    const opened = await openKernel(config, db, log)
    kernel = opened
    const timeZone = () => opened.settings.value('operator_timezone')
    return await runProgram({ ...names, program: kernelProgram(opened, config), timeZone }, argv, session)
  } finally {
    await (session.terminal.signal.aborted ? Promise.race([end(), wait(interruptedCloseMs)]) : end())
  }
}

/** The operator's zone, where the database has settings yet that can be read. */
async function readZone({ settings }: Kernel): Promise<string> {
  try {
    await settings.load()
    return settings.value('operator_timezone')
  } catch (error) {
    if (error instanceof UnavailableError) throw error
    return 'UTC'
  }
}

/** A statement under way holds the database open. The end of the process undoes it, and Ctrl-C is to be obeyed. */
const interruptedCloseMs = 500
