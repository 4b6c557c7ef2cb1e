import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../../core/config.ts'
import { ClientProvisionerService, type InitialClient } from '../../core/contract/client-provisioner.ts'
import { AppError, ConflictError } from '../../core/contract/errors.ts'
import { bootstrapFile, readBootstrap } from '../../core/home.ts'
import type { Kernel } from '../../core/kernel/kernel.ts'
import type { Log } from '../../core/log.ts'
import { givenKeys } from '../config/config.ts'
import { dataFolder, type Environment, unfinishedFile } from '../config/home.ts'
import { pluginsConfigPath } from '../config/plugins-config.ts'
import { encodeQuotes } from '../config/server-url.ts'
import { findDataFault } from '../database/data-folder.ts'
import type { HomeLock } from '../database/home-lock.ts'
import { databaseName } from '../database/postgres/server-name.ts'
import { checkConnection } from '../database/try-server.ts'
import { migratorOf } from '../migrations/migrator.ts'
import { openLocked, wireKernel } from '../open-kernel.ts'
import { type Bootstrap, commitBootstrap, completeBootstrap, prepareBootstrap } from './bootstrap-file.ts'

/** One step of setting up, as it is shown. */
export interface SetupStep {
  step: 'database' | 'migrations' | 'bootstrap' | 'jobs' | 'client'
  status: 'ok' | 'skipped'
  detail: string
}

interface InstallOptions {
  home: string
  env: Environment
  cwd: string
  /** Given by the operator; undefined: as configured, else embedded. */
  databaseUrl: string | undefined
  /** Replace another database's URL and the first client's secret, and make a database where one was lost. */
  force: boolean
  log: Log
  onStep: (step: SetupStep) => void
}

/**
 * The values an installation starts with: what exists is kept, because stored secrets depend on it.
 * @throws ConflictError when another database is configured already and `force` is not given.
 */
export function planBootstrap(options: InstallOptions): Bootstrap {
  const { home, env, force } = options
  const present = readBootstrap(home) ?? {}
  const databaseUrl = encodeQuotes(options.databaseUrl)
  const configured = encodeQuotes(env.DATABASE_URL || present.DATABASE_URL || undefined)
  if (
    databaseUrl !== undefined &&
    present.POINDEXTER_SECRET_KEY !== undefined &&
    databaseUrl !== encodeQuotes(present.DATABASE_URL || undefined) &&
    !force
  ) {
    throw new ConflictError(
      `${home} is set up with ${databaseName(present.DATABASE_URL)}: add --force to use another database.`
    )
  }
  return {
    DATABASE_URL: databaseUrl ?? configured,
    POINDEXTER_SECRET_KEY:
      env.POINDEXTER_SECRET_KEY || present.POINDEXTER_SECRET_KEY || randomBytes(32).toString('base64'),
    GALLEY_JWT_SECRET: env.GALLEY_JWT_SECRET || present.GALLEY_JWT_SECRET || randomBytes(32).toString('base64url')
  }
}

/**
 * Sets the installation up, step by step; each is harmless to repeat. The keys are on disk before anything is
 * encrypted with them, so that a stop at any moment leaves what a second run completes.
 */
export async function install(
  options: InstallOptions,
  bootstrap: Bootstrap,
  lock: HomeLock | undefined
): Promise<InitialClient | null> {
  const { home, log } = options
  const config = configOf(options, bootstrap)
  const isFirst = lock !== undefined && readBootstrap(home) === null
  if (isFirst) discardUnfinished(home)
  if (isFirst) prepareBootstrap(home, bootstrap)
  const { value: db, close } = await openLocked(config, log, lock, findDataFault(home) !== null)
  try {
    await checkConnection(db, bootstrap.DATABASE_URL)
    options.onStep({ step: 'database', status: 'ok', detail: `${databaseName(bootstrap.DATABASE_URL)} answers` })
    const kernel = await wireKernel(config, db, log)
    await migrate(kernel, options)
    await checkKey(kernel, options)
    if (readBootstrap(home) !== null) completeBootstrap(home, bootstrap)
    else {
      if (!isFirst) prepareBootstrap(home, bootstrap)
      commitBootstrap(home)
    }
    options.onStep({ step: 'bootstrap', status: 'ok', detail: path.join(home, 'bootstrap.env') })
    return await prepareService(kernel, options)
  } finally {
    await close()
  }
}

/** A first setup that was killed may have left half a database: its unfinished keys tell it from one that has lost them. */
function discardUnfinished(home: string): void {
  const data = dataFolder(home)
  if (existsSync(unfinishedFile(home))) rmSync(data, { recursive: true, force: true })
  const fault = findDataFault(home)
  if (fault === null) {
    throw new ConflictError(
      `${data} holds a database, and its keys are missing: put bootstrap.env back, or name another folder with GALLEY_HOME; if they are lost, run galley setup --discard-secrets.`
    )
  }
  if (fault.kind === 'damaged')
    throw new ConflictError(
      `${fault.found}, and its keys are missing: move ${data} away, or put it and bootstrap.env back.`
    )
}

/**
 * Whether setup may make the embedded database of a home: where none is or was, or where one was lost and `force` says to
 * go on without it. What lies in its folder is never written over.
 * @throws ConflictError naming what is wrong with it, and what to do.
 */
export function checkDataFolder(home: string, force: boolean): void {
  const fault = readBootstrap(home) === null ? null : findDataFault(home)
  if (fault === null || fault.kind === 'none' || (fault.kind === 'lost' && force)) return
  throw new ConflictError(fault.found, 'CONFLICT', { remedy: fault.remedy })
}

function configOf({ home, env, cwd, log }: InstallOptions, bootstrap: Bootstrap): Config {
  return {
    home,
    databaseUrl: bootstrap.DATABASE_URL,
    secretKey: bootstrap.POINDEXTER_SECRET_KEY,
    jwtSecret: bootstrap.GALLEY_JWT_SECRET,
    host: '127.0.0.1',
    port: 8000,
    logLevel: log.level,
    pluginsConfigPath: pluginsConfigPath(env.GALLEY_PLUGINS, cwd),
    ...givenKeys(env)
  }
}

async function migrate(kernel: Kernel, { onStep }: InstallOptions): Promise<void> {
  const { applied, skipped, failed } = await migratorOf(kernel).up()
  const [failure] = failed
  if (failure !== undefined) throw new ConflictError(`A migration failed, and was undone: ${failure.message}`)
  onStep({ step: 'migrations', status: 'ok', detail: `${applied.length} applied, ${skipped.length} already applied` })
}

/** A key that the database's secrets are not encrypted with must not be written down as theirs. */
async function checkKey({ settings }: Kernel, { home, env }: InstallOptions): Promise<void> {
  try {
    await settings.load()
  } catch (error) {
    if (!(error instanceof AppError) || env.POINDEXTER_SECRET_KEY || readBootstrap(home)?.POINDEXTER_SECRET_KEY)
      throw error
    throw new ConflictError(
      `${bootstrapFile(home)} has no POINDEXTER_SECRET_KEY, and the database holds secrets that need theirs: put back the bootstrap.env it was set up with, or, if it is lost, run galley setup --discard-secrets. Nothing was written.`,
      'CONFLICT',
      { cause: error }
    )
  }
}

async function prepareService(kernel: Kernel, { force, onStep }: InstallOptions): Promise<InitialClient | null> {
  await kernel.open()
  await kernel.jobs.install()
  onStep({ step: 'jobs', status: 'ok', detail: 'queues are ready' })
  const clients = kernel.service(ClientProvisionerService)
  if (clients === undefined) {
    onStep({ step: 'client', status: 'skipped', detail: 'no plugin keeps OAuth clients' })
    return null
  }
  const client = await clients.provision({ rotate: force })
  onStep({
    step: 'client',
    status: 'ok',
    detail: client.client_secret === null ? `${client.client_id} exists` : `${client.client_id} created`
  })
  return client
}
