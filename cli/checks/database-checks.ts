import { withoutFullStop } from '#text/excerpts'
import { pluralized } from '#text/plural'
import type { Config } from '../../core/config.ts'
import { type Check, critical, degraded, type Finding, ok, skipped } from '../../core/contract/check.ts'
import type { Db } from '../../core/contract/database.ts'
import { AppError } from '../../core/contract/errors.ts'
import { isOldVector, oldVector, readServer } from '../../core/db/postgres/requirements.ts'
import { type QueueStats, readQueueStats } from '../../core/jobs/repository.ts'
import { listSecrets } from '../../core/settings/repository.ts'
import { errorCode, messageOf } from '../../core/unknown.ts'
import { schemas } from '../backup/repository/tables.ts'
import { remedyOfConnection } from '../database/faults.ts'
import { hasTable } from '../database/repository.ts'
import { findWriteFault } from '../database/statement-faults.ts'
import { countDeadLetters, listDeadLetters } from '../jobs/repository.ts'
import { createCurrentKeyring, keyId } from '../keys/current-key.ts'
import { undecryptable } from '../keys/decryption.ts'
import type { Migrator } from '../migrations/migrator.ts'
import { sentence } from './report.ts'
import { listDeniedTables, readClock } from './repository.ts'

interface DatabaseCheckDeps {
  db: Db
  config: Config
  migrator: Migrator
  /** Whether a plugin that is loaded works the queue. */
  isWorked(queue: string): boolean
  now: () => Date
}

/** What needs a database that answers, whatever its schema. */
export function databaseChecks({ db, config, migrator, isWorked, now }: DatabaseCheckDeps): Check[] {
  return [
    { name: 'server version', run: () => checkVersion(db) },
    { name: 'writes', run: () => checkWrites(db) },
    { name: 'pgvector', run: () => checkVectors(db) },
    { name: 'migrations', run: () => checkMigrations(migrator) },
    { name: 'clock', run: () => checkClock(db, now) },
    { name: 'secrets', run: () => checkSecrets(db, config) },
    { name: 'queues', run: () => checkQueues(db, isWorked) },
    { name: 'parked jobs', run: () => checkDeadLetters(db) }
  ]
}

/** Whether it answers at all, in the driver's own words when it does not. */
export async function checkReachable(db: Db, name: string): Promise<Finding> {
  try {
    await db.query('select 1')
    return ok(`${name} answers`)
  } catch (error) {
    return unreachableFinding(name, error)
  }
}

export function unreachableFinding(name: string, error: unknown): Finding {
  // The embedded one, which says itself what to do.
  if (error instanceof AppError && error.remedy !== undefined)
    return critical(`${error.summary}.`, sentence(error.remedy))
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  return critical(
    `${name} cannot be used: ${(messageOf(cause) || (errorCode(cause) ?? '')).replace(/\.$/, '')}.`,
    sentence(remedyOfConnection(cause) ?? 'check that the server runs, and the address and login in DATABASE_URL')
  )
}

async function checkVersion(db: Db): Promise<Finding> {
  const { version, version_number } = await readServer(db)
  return version_number < 150_000
    ? critical(`The server is PostgreSQL ${version}; 15 or newer is needed.`, 'Upgrade the database server.')
    : ok(`PostgreSQL ${version}`)
}

async function checkWrites(db: Db): Promise<Finding> {
  const fault = await findWriteFault(db)
  if (fault !== undefined) return critical(fault.found, fault.remedy)
  const denied = await listDeniedTables(db)
  const [first] = denied
  if (first === undefined) return ok('the database takes changes')
  const shown = denied.slice(0, maxShownTables).map(({ name, rights }) => `${rights.join(', ')} on ${name}`)
  const rest = denied.length - shown.length
  const tables = rest > 0 ? `all tables in schema ${schemas.join(', ')}` : denied.map(({ name }) => name).join(', ')
  return critical(
    `The login ${first.login} lacks ${shown.join('; ')}${rest > 0 ? `; and rights on ${rest} more` : ''}.`,
    `As the owner of the tables, run "grant insert, update, delete on ${tables} to ${first.login}".`
  )
}

const maxShownTables = 5

async function checkVectors(db: Db): Promise<Finding> {
  const { has_vector, vector_version, offered_vector } = await readServer(db)
  if (!has_vector)
    return critical('The server has no pgvector.', 'Install its package there, such as postgresql-17-pgvector.')
  const version = vector_version ?? offered_vector
  if (isOldVector(version)) {
    const { message, remedy } = oldVector(version)
    return critical(message, remedy)
  }
  return vector_version === null
    ? degraded('pgvector is there, and this database does not use it yet.', 'Run galley migrate up')
    : ok(`pgvector ${vector_version}`)
}

async function checkMigrations(migrator: Migrator): Promise<Finding> {
  const problems = await migrator.check()
  if (problems.length > 0)
    return critical(problems.join(' '), 'Run the version of galley that this database belongs to, or a newer one.')
  const states = await migrator.status()
  const pending = states.filter(({ state }) => state === 'pending')
  if (pending.length > 0)
    return critical(
      `Pending: ${pending.length} of ${pluralized(states.length, 'migration')}, first ${pending[0]?.name}.`,
      'Run galley migrate up'
    )
  const removed = new Set(states.filter(({ state }) => state === 'removed').map(({ namespace }) => namespace))
  const left = removed.size === 0 ? '' : `; tables are left of plugins that are not loaded: ${[...removed].join(', ')}`
  return ok(`all ${states.filter(({ state }) => state === 'applied').length} applied${left}`)
}

/** Slots and tokens go by both clocks; a signed webhook may be five minutes old. */
const skewSeconds = { degraded: 2, critical: 300 }

async function checkClock(db: Db, now: () => Date): Promise<Finding> {
  const before = now().getTime()
  const clock = await readClock(db)
  const after = now().getTime()
  const at = Date.parse(clock)
  const skew = Math.max(0, before - at, at - after) / 1000
  const found = `The clock of this machine is ${skew.toFixed(1)} s ${at < before ? 'ahead of' : 'behind'} the database's.`
  const remedy = 'Synchronise both clocks: timedatectl set-ntp true'
  if (skew >= skewSeconds.critical) return critical(found, remedy)
  return skew >= skewSeconds.degraded ? degraded(found, remedy) : ok('as the database’s')
}

async function checkSecrets(db: Db, config: Config): Promise<Finding> {
  if (!(await hasTable(db, 'app_settings'))) return skipped('there are no settings yet')
  const stored = await listSecrets(db)
  const keyring = createCurrentKeyring(config)
  const broken = undecryptable(stored, keyring)
  const key = `key ${keyId(keyring.masterKey())}`
  if (broken.length === 0) return ok(`${stored.length} stored, all decrypt (${key})`)
  if (broken.length < stored.length)
    return degraded(
      `${broken.join(', ')} ${broken.length === 1 ? 'does' : 'do'} not decrypt, and ${pluralized(stored.length - broken.length, 'other')} ${stored.length - broken.length === 1 ? 'does' : 'do'} (${key}).`,
      'Set each again with galley settings set, or take it away with galley settings unset.'
    )
  return critical(
    `POINDEXTER_SECRET_KEY (${key}) does not decrypt ${broken.join(', ')}.`,
    'Put back bootstrap.env of the installation this database was set up with; if it is lost, run galley setup --discard-secrets.'
  )
}

/** A worker takes a job within a second; one that waits for minutes has no worker. */
const waitSeconds = { degraded: 60, critical: 900 }

async function checkQueues(db: Db, isWorked: DatabaseCheckDeps['isWorked']): Promise<Finding> {
  if (!(await hasTable(db, 'jobs.job'))) return skipped('there are no queues before the first start')
  const all = await readQueueStats(db)
  const stats = all.filter(({ queue }) => isWorked(queue))
  const late = stats.filter(({ oldest_seconds }) => (oldest_seconds ?? 0) >= waitSeconds.degraded)
  const oldest = Math.max(0, ...late.map(({ oldest_seconds }) => oldest_seconds ?? 0))
  const sum = (key: 'ready' | 'active') => stats.reduce((total, queue) => total + queue[key], 0)
  if (late.length === 0)
    return ok(`${sum('ready')} ready, ${sum('active')} under way${waitingForMissingPlugins(all, isWorked)}`)
  const found = `Jobs wait: ${late.map(waitOf).join('; ')}.`
  const remedy = 'Start a worker: galley serve, or galley worker beside the API.'
  return oldest >= waitSeconds.critical ? critical(found, remedy) : degraded(found, remedy)
}

/** Jobs of a plugin that was taken out of the configuration: no worker can run them, and they are not lost. */
function waitingForMissingPlugins(stats: readonly QueueStats[], isWorked: DatabaseCheckDeps['isWorked']): string {
  const waiting = stats.filter(({ queue, ready }) => ready > 0 && !isWorked(queue))
  if (waiting.length === 0) return ''
  return `; ${waiting.map(({ queue, ready }) => `${ready} of ${queue}`).join(', ')} until the plugin is back`
}

const waitOf = ({ queue, ready, oldest_seconds }: QueueStats): string =>
  `${ready} of ${queue}, for ${Math.round((oldest_seconds ?? 0) / 60)} min`

async function checkDeadLetters(db: Db): Promise<Finding> {
  if (!(await hasTable(db, 'jobs.job'))) return skipped('there are no queues before the first start')
  const [latest] = await listDeadLetters(db, { limit: 1 })
  if (latest === undefined) return ok('none')
  return degraded(
    `${pluralized(await countDeadLetters(db), 'job')} used up every retry; the latest is ${latest.queue} at ${latest.parked_at}: ${withoutFullStop(latest.error ?? 'no reason given')}.`,
    'Remove the cause that the message names, then run galley jobs retry --all. A parked job is kept for 30 days.'
  )
}
