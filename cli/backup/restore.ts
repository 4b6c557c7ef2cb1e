import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { syncFolder } from '#files'
import { touchEverything } from '../../core/changes.ts'
import type { Db, Queryable, Tx } from '../../core/contract/database.ts'
import { AppError, ConflictError, UnavailableError } from '../../core/contract/errors.ts'
import { lockSecrets } from '../../core/settings/repository.ts'
import { errorCode, messageOf } from '../../core/unknown.ts'
import { hasTable, rewriteSequences } from '../database/repository.ts'
import { lockMigrations } from '../migrations/repository.ts'
import { readInChild, runInChild } from './child.ts'
import type { BackupRequest, FileLimits } from './child-protocol.ts'
import { homeFiles } from './create.ts'
import { homeFolders } from './format.ts'
import { loadBackup } from './load.ts'
import type { Loaded, LoadTarget } from './load-target.ts'
import { migrateRest } from './prepare-schema.ts'
import { listNonEmptyTables, recordRestore, wasRestored } from './repository/installation.ts'
import { listNamedObjects } from './repository/tables.ts'
import { explainFileFault, isRunning } from './write-file.ts'

interface RestoreOptions extends Omit<LoadTarget, 'tx' | 'kind'> {
  db: Db
  home: string
  file: string
  limits: FileLimits
  /** What verifying the backup needs: its own database is embedded, as the installation's is. */
  verification: Pick<Extract<BackupRequest, { kind: 'verify' }>, 'keys' | 'sources'>
  /** Replace an installation that holds something. */
  force: boolean
  /** Derives again what no file may bring: called once the rows are verified and migrated. */
  rebuildDerived(tx: Tx): Promise<void>
}

export interface Restored extends Loaded {
  /** Tables, views, sequences, routines and types that were in the database before, and that no migration makes: the operator's own. */
  removed: string[]
}

/** Restores of this process that have not ended. */
const underWay = new Set<string>()

/**
 * Puts a backup in the place of everything in the database and of the home's files. The database changes in one
 * transaction. It commits only when all of it has been compared with the backup, and plugins have derived again what is
 * theirs. Then the files are exchanged. The file is read in a child process, which hands over rows it has checked.
 * @throws ConflictError for an installation that holds something, without `force`; for a backup that is not whole; for
 *   another key than its own. AppError when the database was restored and the files were not.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { db, home, force } = options
  options.keyring()
  if (!force) await refuseNonEmpty(db, home)
  await verifyBeforeRestore(options)
  await completeRestore(db, home)
  const id = randomUUID()
  const staged = path.join(home, `.restore-${process.pid}-${id}`)
  underWay.add(id)
  try {
    await mkdir(staged, { recursive: true, mode: 0o700 })
    const loaded = await restoreRows(options, id, staged).catch(async error => {
      if (!(await mayBeCommitted(db, id))) await rm(staged, { recursive: true, force: true })
      throw explainFileFault(staged, error)
    })
    await exchangeFiles(home, staged)
    return loaded
  } finally {
    underWay.delete(id)
  }
}

/** The database, in one transaction; the files of the backup go into the folder `staged`. */
function restoreRows(options: RestoreOptions, id: string, staged: string): Promise<Restored> {
  const { db, home, file, force } = options
  return db.transaction(async tx => {
    await lockMigrations(tx)
    // A rotation meanwhile would change which key counts.
    if (await hasTable(tx, 'app_settings')) await lockSecrets(tx, 'exclusive')
    if (!force) await refuseNonEmpty(tx, home)
    const before = await listNamedObjects(tx)
    const target = { ...options, tx, kind: db.kind }
    const done = await loadBackup(
      readInChild({ kind: 'read', file, files: staged, ...options.limits }, options),
      target
    )
    if (done.faults.length > 0) throw new ConflictError(nothingRestored(done.faults))
    await migrateRest(target)
    const present = new Set(await listNamedObjects(tx))
    const removed = before.filter(name => !present.has(name))
    await options.rebuildDerived(tx)
    await recordRestore(tx, { restore_id: id, created_at: done.header.created_at })
    await touchEverything(tx)
    await rewriteSequences(tx)
    return { ...done, removed }
  })
}

/**
 * Nothing is touched for a file that is not good. An embedded database has one session, which the service would wait for:
 * there the file is loaded somewhere else first.
 */
async function verifyBeforeRestore({
  db,
  home,
  file,
  limits,
  verification,
  signal,
  onProgress
}: RestoreOptions): Promise<void> {
  if (db.kind === 'pglite') {
    const request = { kind: 'verify', file, home, databaseUrl: undefined, ...limits, ...verification } as const
    const { loaded, faults } = await runInChild<'verify'>(request, { signal, onProgress })
    if (faults.length > 0) throw new ConflictError(loaded === null ? faults.join(' ') : nothingRestored(faults))
    return
  }
  for await (const _ of readInChild({ kind: 'read', file, files: null, ...limits }, { signal }));
}

const nothingRestored = (faults: readonly string[]): string => `Nothing was restored. ${faults.join(' ')}`

/** Where the database does not answer it is unknown: what was read is kept, and the next command decides. */
async function mayBeCommitted(db: Db, id: string): Promise<boolean> {
  try {
    return (await hasTable(db, 'audit_log')) && (await wasRestored(db, id))
  } catch (error) {
    if (error instanceof UnavailableError) return true
    throw error
  }
}

async function refuseNonEmpty(tx: Queryable, home: string): Promise<void> {
  const nonEmpty = await listNonEmptyTables(tx)
  for await (const _ of homeFiles(home)) {
    nonEmpty.push('media')
    break
  }
  if (nonEmpty.length > 0)
    throw new ConflictError(
      `This installation holds something (${nonEmpty.join(', ')}): add --force to replace all of it by the backup.`
    )
}

/** Once the database is restored. @throws AppError naming the command that tries again. */
async function exchangeFiles(home: string, staged: string): Promise<void> {
  try {
    await exchangeFolders(home, staged)
  } catch (cause) {
    throw new AppError(
      'INTERNAL_ERROR',
      `The database was restored. The media files of the backup could not be put in place in ${home} (${errorCode(cause) ?? messageOf(cause)})`,
      { cause, remedy: 'remove the cause, then run galley backup create, which puts them in place first' }
    )
  }
}

async function exchangeFolders(home: string, staged: string): Promise<void> {
  for (const folder of homeFolders) {
    const place = path.join(home, folder)
    const restored = path.join(staged, folder)
    if (existsSync(place)) await rename(place, path.join(staged, `${folder}.replaced`))
    if (existsSync(restored)) await rename(restored, place)
  }
  await syncFolder(home)
  await rm(staged, { recursive: true, force: true })
}

/** Folders of restores that did not end: of processes that are gone, and of this one where no restore runs. */
export async function unfinishedRestores(home: string): Promise<{ id: string; folder: string }[]> {
  const names = await readdir(home).catch(() => [])
  return names.flatMap(name => {
    const [, pid, id] = /^\.restore-(\d+)-([0-9a-f-]{36})$/.exec(name) ?? []
    const isOfOthers = Number(pid) !== process.pid
    if (id === undefined || underWay.has(id) || (isOfOthers && isRunning(Number(pid)))) return []
    return [{ id, folder: path.join(home, name) }]
  })
}

/** A restore that was killed between its commit and the exchange of the files is brought to its end; any other left nothing but its folder. */
export async function completeRestore(db: Db, home: string): Promise<void> {
  for (const { id, folder } of await unfinishedRestores(home)) {
    const isOurs = (await hasTable(db, 'audit_log')) && (await wasRestored(db, id))
    if (!isOurs) await rm(folder, { recursive: true, force: true })
    else if (existsSync(path.join(folder, 'media.replaced')) && !existsSync(path.join(folder, 'media')))
      await rm(folder, { recursive: true, force: true })
    else await exchangeFiles(home, folder)
  }
}
