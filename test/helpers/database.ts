import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPglite } from '../../cli/database/pglite/pglite.ts'
import { createPostgres } from '../../cli/database/postgres/postgres.ts'
import { dropTemplateDatabases } from '../../cli/database/repository.ts'
import { createLog } from '../../cli/log/json-log.ts'
import { createMigrator } from '../../cli/migrations/migrator.ts'
import type { Db } from '../../core/contract/database.ts'
import { createJobs } from '../../core/jobs/jobs.ts'
import { setFlagsOfGroups } from '../suite/compile-cache.ts'
import { exclusively } from '../suite/exclusively.ts'
import { cacheFolder } from '../suite/temporary-folder.ts'
import { leaseNew, reopen } from './reused-databases.ts'

/** The server the suite runs on; without it the suite runs on the embedded database. */
export const testServerUrl = process.env.TEST_DATABASE_URL

export interface TestDatabaseOptions {
  /** False for an empty database. */
  migrated?: boolean
}

/** A database of the caller's own, on the server of TEST_DATABASE_URL or in memory; `close` throws it away. */
export async function openTestDatabase({ migrated = true }: TestDatabaseOptions = {}): Promise<Db> {
  const again = migrated ? await reopen() : undefined
  if (again !== undefined) return again
  if (testServerUrl === undefined) {
    const db = await openEmbedded({ migrated })
    return migrated ? leaseNew(db, { open: async () => db, drop: () => db.close() }) : db
  }
  const { db, url, close, drop } = await openOnServer(testServerUrl, { migrated })
  return migrated ? leaseNew({ ...db, close }, { open: async () => connect(url), drop }) : db
}

/** A process that loads its files for seconds sees late that it was connected. */
const connectTimeoutMs = 60_000
const connect = (url: string): Db => createPostgres({ url, max: 5, connectTimeoutMs })

export async function openEmbedded({ migrated = true }: TestDatabaseOptions = {}) {
  setFlagsOfGroups()
  return createPglite({ dataDir: 'memory://', snapshot: await readSnapshot(migrated) })
}

/** The same on a server, with the new database's URL for tests that connect more than once. */
export async function openOnServer(serverUrl: string, { migrated = true }: TestDatabaseOptions = {}) {
  const name = `galley_test_${randomUUID().replaceAll('-', '')}`
  const template = migrated ? await ensureTemplate(serverUrl) : 'template1'
  await onServer(serverUrl, server => server.script(`create database ${name} template ${template}`))
  const url = databaseUrl(serverUrl, name)
  const { close, ...db } = connect(url)
  const drop = () =>
    onServer(serverUrl, async server => void (await server.script(`drop database if exists ${name} with (force)`)))
  return { url, db: { ...db, close: () => close().then(drop) }, close, drop }
}

async function onServer<T>(serverUrl: string, work: (server: Db) => Promise<T>): Promise<T> {
  const server = createPostgres({ url: serverUrl, max: 1, connectTimeoutMs })
  try {
    return await work(server)
  } finally {
    await server.close()
  }
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Copying a migrated database is faster than migrating each. It gets its name only when it is complete. */
const ensureTemplate = (serverUrl: string): Promise<string> => {
  const known = templates.get(serverUrl) ?? makeTemplate(serverUrl)
  templates.set(serverUrl, known)
  return known
}

/** By server: asked once by each process. */
const templates = new Map<string, Promise<string>>()

async function makeTemplate(serverUrl: string): Promise<string> {
  const template = `galley_template_${fingerprint(true)}`
  await exclusively(template, async () => {
    if (await databaseExists(serverUrl, template)) return
    const temporary = `${template}_${randomUUID().slice(0, 8)}`
    await onServer(serverUrl, server => server.script(`create database ${temporary} template template1`))
    await migrateUnnamed(serverUrl, temporary)
    await onServer(serverUrl, server => server.script(`alter database ${temporary} rename to ${template}`))
  })
  return template
}

async function migrateUnnamed(serverUrl: string, temporary: string): Promise<void> {
  const db = createPostgres({ url: databaseUrl(serverUrl, temporary), max: 1 })
  try {
    await migrate(db)
  } catch (error) {
    await onServer(serverUrl, server => server.script(`drop database if exists ${temporary} with (force)`))
    throw error
  } finally {
    await db.close()
  }
}

async function databaseExists(serverUrl: string, name: string): Promise<boolean> {
  const rows = await onServer(serverUrl, server => server.query('select from pg_database where datname = $1', [name]))
  return rows.length > 0
}

/** Making a data folder takes seconds, loading one a fraction: it is made once per machine and set of migrations. */
export async function readSnapshot(migrated: boolean): Promise<Uint8Array> {
  const name = `pglite-${fingerprint(migrated)}`
  const file = join(cacheFolder(), `${name}.tar`)
  if (!existsSync(file)) {
    await exclusively(name, async () => {
      if (!existsSync(file)) await writeSnapshot(file, migrated)
    })
  }
  return readFileSync(file)
}

async function writeSnapshot(file: string, migrated: boolean): Promise<void> {
  const db = await createPglite({ dataDir: 'memory://' })
  if (migrated) await migrate(db)
  await dropTemplateDatabases(db)
  const dump = await db.dump()
  await db.close()
  writeFileSync(`${file}.${process.pid}`, dump)
  renameSync(`${file}.${process.pid}`, file)
}

const migrationsFolder = new URL('../../migrations/', import.meta.url)

async function migrate(db: Db): Promise<void> {
  const { failed } = await createMigrator({ db, sources: [{ namespace: 'galley', folder: migrationsFolder }] }).up()
  if (failed[0] !== undefined) throw new Error(failed[0].message)
  // The tables of the job library take longer to make than all others. Queues are made by whoever has jobs.
  await createJobs({ db, log: createLog('silent') }).install()
}

/** Changes with the migrations, the driver's settings, and the versions of PGlite and the job library. */
function fingerprint(migrated: boolean): string {
  const hash = createHash('sha256')
  const names = migrated ? readdirSync(migrationsFolder).sort() : []
  for (const name of names) hash.update(name).update(readFileSync(new URL(name, migrationsFolder)))
  for (const source of ['../../cli/database/pglite/worker.ts', import.meta.url])
    hash.update(readFileSync(new URL(source, import.meta.url)))
  for (const library of ['@electric-sql/pglite', 'pg-boss'])
    hash.update(readFileSync(new URL('../package.json', import.meta.resolve(library))))
  return hash.digest('hex').slice(0, 16)
}
