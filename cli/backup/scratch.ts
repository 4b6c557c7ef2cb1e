import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import type { Db, Queryable, Tx } from '../../core/contract/database.ts'
import { errorCode } from '../../core/unknown.ts'
import { freshCluster } from '../database/fresh-cluster.ts'
import { createPglite } from '../database/pglite/pglite.ts'
import { createPostgres } from '../database/postgres/postgres.ts'
import {
  createScratchDatabase,
  createScratchRole,
  dropScratchDatabase,
  dropUnusedScratchDatabases,
  insufficientPrivilege,
  makeExtensions,
  setRole
} from './scratch-repository.ts'
import { isRunning } from './write-file.ts'

/** A database for one verification. */
interface Scratch {
  db: Db
  kind: 'server' | 'embedded'
  /** Gives up, for a transaction, every right outside this database. */
  restrict(tx: Tx): Promise<void>
  dispose(): Promise<void>
}

interface Place {
  databaseUrl: string | undefined
  home: string
}

/** A database of its own on the installation's server; where that is not allowed, or there is none, an embedded one. */
export async function openScratch({ databaseUrl, home }: Place): Promise<Scratch> {
  if (databaseUrl === undefined) return openEmbedded(home)
  return openOnServer(databaseUrl).catch(error => {
    if (errorCode(error) === insufficientPrivilege) return openEmbedded(home)
    throw error
  })
}

/**
 * The session that made the database stays open, under the database's name, as long as it is used: that tells others that
 * it is not left over. Backups from elsewhere are loaded by a role that has rights in this database only.
 */
async function openOnServer(databaseUrl: string): Promise<Scratch> {
  const name = `galley_verify_${randomBytes(8).toString('hex')}`
  const session = new pg.Client({ connectionString: databaseUrl, application_name: name })
  session.on('error', () => {}) // the next statement reports it
  await session.connect()
  const server = queryableOf(session)
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  let db: Db | undefined
  const dispose = async () => {
    await db?.close()
    await dropScratchDatabase(server, name).catch(() => {})
    await session.end()
  }
  try {
    await dropUnusedScratchDatabases(server)
    await createScratchDatabase(server, name)
    db = createPostgres({ url: url.href, max: 1, applicationName: name, statementTimeoutMs: 0 })
    await makeExtensions(db)
    const hasRole = await createScratchRole(server, name)
    return { db, kind: 'server', restrict: async tx => void (hasRole && (await setRole(tx, name))), dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

const queryableOf = (client: pg.Client): Queryable => {
  const run = async (sql: string) => (await client.query(sql)).rows
  return { query: run, script: run }
}

async function openEmbedded(home: string): Promise<Scratch> {
  for (const name of await readdir(home)) {
    const [, pid] = /^\.verify-(\d+)-/.exec(name) ?? []
    if (pid !== undefined && !isRunning(Number(pid))) await rm(path.join(home, name), { recursive: true, force: true })
  }
  const folder = path.join(home, `.verify-${process.pid}-${randomBytes(4).toString('hex')}`)
  const snapshot = await freshCluster(folder)
  await mkdir(folder, { mode: 0o700 })
  const db = await createPglite({ dataDir: folder, snapshot }).catch(async error => {
    await rm(folder, { recursive: true, force: true })
    throw error
  })
  const dispose = async () => {
    await db.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { db, kind: 'embedded', restrict: async () => {}, dispose }
}
