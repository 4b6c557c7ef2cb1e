import { statSync } from 'node:fs'
import type { Config } from '../../core/config.ts'
import type { Terminal } from '../../core/contract/command.ts'
import type { Db } from '../../core/contract/database.ts'
import { AppError } from '../../core/contract/errors.ts'
import { checkServer } from '../../core/db/postgres/requirements.ts'
import type { Kernel } from '../../core/kernel/kernel.ts'
import type { Log } from '../../core/log.ts'
import { version } from '../../core/version.ts'
import { loadConfig } from '../config/config.ts'
import { findHome } from '../config/home.ts'
import { placeholderConfig } from '../database/closed.ts'
import { requireDatabase } from '../database/data-folder.ts'
import { requireUtf8 } from '../database/encoding.ts'
import { refuseTransactionPooling } from '../database/pooler.ts'
import { databaseName } from '../database/postgres/server-name.ts'
import { requireWritable } from '../database/statement-faults.ts'
import { migratorOf } from '../migrations/migrator.ts'
import { commandLog, openLocked, wireKernel } from '../open-kernel.ts'
import { callCommand, textIn } from '../owner/call-command.ts'
import { claimHome } from '../owner/claim-home.ts'
import type { Owner } from '../owner/remote.ts'
import { type CheckReport, createReport, type ItemReport } from './check-report.ts'

interface CheckRequest {
  env: NodeJS.ProcessEnv
  terminal: Terminal
  /** A server to look at instead of the configured database. */
  databaseUrl: string | undefined
}

/** Looks at an installation from the home to the first client, and changes nothing. */
export async function checkSetup({ env, terminal, databaseUrl }: CheckRequest): Promise<CheckReport> {
  const home = findHome(env)
  const report = createReport()
  await report.check('home', [], 'run galley setup', () => checkHome(home))
  const config = await report.check('bootstrap', ['home'], 'run galley setup', async () => {
    const found = loadConfig(env, terminal.cwd)
    return { detail: `${databaseName(found.databaseUrl)}, keys are there`, value: found }
  })
  if (databaseUrl === undefined && config === undefined) report.skipRest('bootstrap')
  else {
    const known = config ?? { ...placeholderConfig(''), home, logLevel: 'warn' }
    const target = { ...known, databaseUrl: databaseUrl ?? known.databaseUrl }
    await checkDatabase(report, { target, isConfigured: config !== undefined, env, terminal })
  }
  return { home, ready: report.items.every(({ status }) => status === 'OK'), items: report.items }
}

/** @throws AppError when others may enter the home, or there is none. */
async function checkHome(home: string) {
  const stats = statSync(home, { throwIfNoEntry: false })
  if (stats === undefined) throw new AppError('NOT_FOUND', `${home} is not there`)
  if (!stats.isDirectory())
    throw new AppError('CONFLICT', `${home} is not a folder`, { remedy: 'name a folder with GALLEY_HOME' })
  if ((stats.mode & 0o077) !== 0)
    throw new AppError('CONFLICT', `${home} may be entered by others`, { remedy: `run chmod 700 ${home}` })
  return { detail: home }
}

interface Target {
  target: Config
  /** False before the first setup: then there are no keys, and nothing in the database is looked at. */
  isConfigured: boolean
  env: NodeJS.ProcessEnv
  terminal: Terminal
}

async function checkDatabase(report: ItemReport, { target, isConfigured, env, terminal }: Target): Promise<void> {
  const log = commandLog({ LOG_LEVEL: 'silent', ...env })
  const isEmbedded = target.databaseUrl === undefined
  const remedy = isEmbedded
    ? 'run galley doctor, or restore a backup'
    : 'check the address, the login and that the server runs'
  const opened = await report.check('database', [], remedy, () => open(target, log, terminal))
  if (opened === undefined) return report.skipRest('database')
  if ('owner' in opened) return await checkOwner(report, opened.owner, terminal)
  try {
    await checkContents(report, opened.db, isConfigured ? await wireKernel(target, opened.db, log) : null)
  } finally {
    await opened.close()
  }
}

type Place = { owner: Owner } | { db: Db; close(): Promise<void> }

/** The database itself, or the server that has the embedded one. */
async function open(target: Config, log: Log, terminal: Terminal): Promise<{ detail: string; value: Place }> {
  const { home, databaseUrl } = target
  if (databaseUrl === undefined) requireDatabase(home)
  const claim = databaseUrl === undefined ? await claimHome({ home, version, signal: terminal.signal }) : undefined
  if (claim?.owner !== undefined)
    return { detail: `open in the server of process ${claim.owner.pid}`, value: { owner: claim.owner } }
  const { value: db, close } = await openLocked(target, log, claim?.lock)
  try {
    await db.query('select 1').catch(error => Promise.reject(error.cause ?? error))
    if (databaseUrl !== undefined) await refuseTransactionPooling(databaseUrl)
    return { detail: databaseName(databaseUrl), value: { db, close } }
  } catch (error) {
    await close()
    throw error
  }
}

/** A migration that is missing or changed here belongs to other code. */
const otherVersion = 'run the version of galley that this database belongs to, or a newer one'

async function checkContents(report: ItemReport, db: Db, kernel: Kernel | null): Promise<void> {
  await report.check('server', ['database'], 'follow the message above', async () => {
    await checkServer(db)
    await requireUtf8(db)
    await requireWritable(db)
    const [row] = await db.query<{ version: string }>(`select current_setting('server_version') as version`)
    return { detail: `PostgreSQL ${row?.version}, with pgvector` }
  })
  if (kernel === null) return report.skipRest('bootstrap')
  await report.check('migrations', ['server'], 'run galley migrate up', async () => {
    const problems = await migratorOf(kernel).check()
    if (problems.length > 0) throw new AppError('CONFLICT', problems.join(' '), { remedy: otherVersion })
    const all = await migratorOf(kernel).status()
    const pending = all.filter(({ state }) => state === 'pending')
    if (pending.length > 0) throw new AppError('CONFLICT', `${pending.length} of ${all.length} are pending`)
    return { detail: `all ${all.length} applied` }
  })
  await report.check(
    'secrets',
    ['migrations'],
    'put the right POINDEXTER_SECRET_KEY into bootstrap.env; if it is lost, run galley setup --discard-secrets',
    async () => {
      await kernel.settings.load()
      return { detail: 'the key decrypts them' }
    }
  )
  await report.check('client', ['secrets'], 'run galley setup', async () =>
    clientOf(kernel.settings.value('cli_oauth_client_id'))
  )
}

/** A running server has refused at its start whatever does not fit. */
async function checkOwner(report: ItemReport, owner: Owner, terminal: Terminal): Promise<void> {
  for (const item of ['server', 'migrations', 'secrets'] as const)
    await report.check(item, [], '', async () => ({ detail: 'checked by the running server' }))
  await report.check('client', [], 'run galley setup', async () => {
    const get = ['settings', 'get', 'cli_oauth_client_id']
    const setting = await callCommand(get, { run: owner.run, terminal, actor: 'operator' })
    return clientOf(textIn(setting, 'value'))
  })
}

function clientOf(client_id: string) {
  if (client_id === '') throw new AppError('NOT_FOUND', 'there is no first client')
  return { detail: client_id }
}
