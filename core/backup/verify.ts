import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Db } from '../db/db.ts'
import { createPglite } from '../db/pglite.ts'
import { createPostgres } from '../db/postgres.ts'
import { AppError } from '../errors.ts'
import { type Loaded, type LoadTarget, loadBackup } from './load.ts'
import { scanBackup } from './scan.ts'
import { createScratchDatabase, dropScratchDatabase, dropScratchDatabases, makeVectors } from './scratch-repository.ts'
import { readCompressed } from './write-file.ts'

export interface VerifyOptions extends Omit<LoadTarget, 'tx' | 'kind' | 'files'> {
  /** The installation's server; undefined when its database is embedded. */
  databaseUrl: string | undefined
  home: string
  file: string
}

/** What a verification found. */
export interface Verification {
  /** Where the backup was restored to prove it; null when it is damaged, and was not. */
  scratch: 'server' | 'embedded' | null
  /** Null when not even the header could be read. */
  loaded: Loaded | null
  faults: string[]
}

/** Restores a backup into a database made for it, compares all of it, and throws the database away. */
export async function verifyBackup(options: VerifyOptions): Promise<Verification> {
  options.keyring()
  try {
    await scanBackup(readCompressed(options.file), options.signal)
  } catch (error) {
    return { scratch: null, loaded: null, faults: [faultOf(error)] }
  }
  return verifyByRestoring(options)
}

/** A backup that is not good is an answer; that it could not be looked at is a failure. */
function faultOf(error: unknown): string {
  if (error instanceof AppError && error.code === 'CONFLICT') return error.message
  throw error
}

async function verifyByRestoring(options: VerifyOptions): Promise<Verification> {
  const { db, kind, dispose } = await openScratch(options)
  try {
    const loaded = await db.transaction(tx =>
      loadBackup(readCompressed(options.file), { ...options, tx, kind: db.kind, files: null })
    )
    return { scratch: kind, loaded, faults: loaded.faults }
  } catch (error) {
    return { scratch: kind, loaded: null, faults: [faultOf(error)] }
  } finally {
    await dispose()
  }
}

interface Scratch {
  db: Db
  kind: 'server' | 'embedded'
  dispose(): Promise<void>
}

/** A database of its own on the installation's server; where that is not allowed, or there is none, an embedded one. */
async function openScratch(options: VerifyOptions): Promise<Scratch> {
  return (await openOnServer(options).catch(() => null)) ?? openEmbedded(options.home)
}

async function openOnServer({ databaseUrl }: VerifyOptions): Promise<Scratch | null> {
  if (databaseUrl === undefined) return null
  const server = createPostgres({ url: databaseUrl, max: 1, applicationName: 'galley verify' })
  const name = `galley_verify_${randomBytes(8).toString('hex')}`
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  let db: Db | undefined
  const dispose = async () => {
    await db?.close()
    await dropScratchDatabase(server, name).catch(() => {})
    await server.close()
  }
  try {
    await dropScratchDatabases(server)
    await createScratchDatabase(server, name)
    db = createPostgres({ url: url.href, max: 1, applicationName: 'galley verify', statementTimeoutMs: 0 })
    await makeVectors(db)
    return { db, kind: 'server', dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

async function openEmbedded(home: string): Promise<Scratch> {
  for (const name of await readdir(home)) {
    const [, pid] = /^\.verify-(\d+)-/.exec(name) ?? []
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) await rm(path.join(home, name), { recursive: true })
  }
  const folder = path.join(home, `.verify-${process.pid}-${randomBytes(4).toString('hex')}`)
  await mkdir(folder, { mode: 0o700 })
  const db = await createPglite({ dataDir: folder }).catch(async error => {
    await rm(folder, { recursive: true, force: true })
    throw error
  })
  const dispose = async () => {
    await db.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { db, kind: 'embedded', dispose }
}
