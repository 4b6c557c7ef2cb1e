import { touchEverything } from '../../core/changes.ts'
import type { Db, Tx } from '../../core/contract/database.ts'
import { ConflictError } from '../../core/contract/errors.ts'
import { type BackupSource, createBackup } from '../backup/create.ts'
import { loadBackup } from '../backup/load.ts'
import type { Loaded, LoadTarget } from '../backup/load-target.ts'
import { readBackup } from '../backup/read.ts'
import { listNonEmptyTables } from '../backup/repository/installation.ts'
import { hasTable, rewriteSequences } from '../database/repository.ts'
import { tryLockMigrations } from '../migrations/repository.ts'
import { hasMoved, listOwnObjects, recordMove } from './repository.ts'

interface MoveOptions extends Omit<BackupSource, 'withFiles' | 'isFrozen'>, Pick<LoadTarget, 'log' | 'migratorOn'> {
  target: Db
  /** How the target is called, for messages. */
  targetName: string
  /** Names this move in the target. */
  id: string
  /** A move to the same target that did not end: what it left there may be replaced. */
  unfinishedId: string | undefined
  /** Called before the target keeps what it was given. */
  onLoaded(): void
  /** Called once the target holds everything, verified, while nobody can write to the source. */
  onVerified(): Promise<void>
}

/** Rows of this process's own installation have no limit of ours. */
const maxRowBytes = 1024 ** 3

/**
 * Copies a database into another one, which must be empty, and verifies it: rows are counted and summed up on both sides, and
 * every secret is decrypted. The source is only read; writers to it wait until all is over.
 * @throws ConflictError for a target that holds something; nothing is changed there then.
 */
export async function moveContents(options: MoveOptions): Promise<Loaded> {
  const { target, keyring, signal } = options
  let loaded: Loaded | undefined
  await createBackup({ ...options, withFiles: false, isFrozen: true }, async (chunks, tail) => {
    const parts = readBackup(wholeOf(chunks, tail), { files: null, maxRowBytes, signal })
    loaded = await target.transaction(async tx => {
      await refuseUsed(tx, options)
      const done = await loadBackup(parts, { ...options, tx, kind: target.kind, keyring: () => keyring })
      if (done.faults.length > 0) throw new ConflictError(`Nothing was moved. ${done.faults.join(' ')}`)
      await recordMove(tx, options.id)
      await touchEverything(tx)
      await rewriteSequences(tx)
      options.onLoaded()
      return done
    })
    await options.onVerified()
  })
  if (loaded === undefined) throw new TypeError('The writer of a backup was not called.')
  return loaded
}

async function* wholeOf(chunks: AsyncIterable<Buffer>, tail: () => Buffer): AsyncGenerator<Buffer> {
  yield* chunks
  yield tail()
}

async function refuseUsed(tx: Tx, { targetName, unfinishedId }: MoveOptions): Promise<void> {
  if (!(await tryLockMigrations(tx)))
    throw new ConflictError(
      `${targetName} is the database in use already, or its tables are being made: name another, or try again.`
    )
  const isInstallation = await hasTable(tx, 'schema_migrations')
  if (isInstallation && unfinishedId !== undefined && (await hasMoved(tx, unfinishedId))) return
  const found = isInstallation ? await listNonEmptyTables(tx) : await listOwnObjects(tx)
  if (found.length === 0) return
  const named = found.slice(0, maxNamed).join(', ')
  throw new ConflictError(
    `${targetName} is not empty (${named}${found.length > maxNamed ? ', …' : ''}): name an empty database. Nothing was changed.`
  )
}

const maxNamed = 5
