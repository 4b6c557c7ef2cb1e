import type { Db, Installation, Log, Tx } from '#core'
import type { Notify } from '#plugins/notify'
import { copyNotice } from '../notices.ts'
import { failQueuedConfirmations } from '../repository/confirmations.ts'
import { pauseAll } from '../repository/sends.ts'
import {
  type DatabasePosition,
  isKnownDatabase,
  readPosition,
  writeKnownDatabase,
  writeRestoreTime
} from '../repository/state.ts'
import { createPositionNote } from './position-note.ts'

/**
 * Detects that the database is a copy, or was restored from a backup. It does not know then what was mailed since, so every
 * newsletter under way is paused for an operator. The signs:
 * - A database that a dump was restored into has another id, or its rows were written by other transactions.
 * - Restored files have a lower position in the write-ahead log than the one noted in the home.
 * - An embedded database lies in the home and is restored with that note. The note recognizes that it is a copy of itself.
 */
export interface Copies {
  /** Before anything is mailed. */
  check(): Promise<void>
  /** Notes how far the database is: mails follow. */
  recordPosition(): Promise<void>
  /** The same as `check` in the transaction of a restore. */
  restored(tx: Tx): Promise<void>
}

interface CopyDeps {
  db: Db
  installation: Installation
  notify: Notify | undefined
  log: Log
  now(): Date
}

/** Of what is made after a restore, of posts that were there before. */
export const possiblyMailedReason =
  'The database was restored since, and may not know that this was mailed: look before you go on with it.'
const pausedReason =
  'The database is a copy or a restored backup, and may not know of mails that were sent: look before you go on with it.'

export function createCopies(deps: CopyDeps): Copies {
  const { db, installation } = deps
  const note = createPositionNote(installation.home)
  const restored = async (tx: Tx) => pauseUnderWay(deps, tx, (await readPosition(tx)).database_id)
  return {
    restored,
    async check() {
      // The note first: another job may be writing a later one, and the database only grows.
      const noted = await note.read()
      const here = await readPosition(db)
      const isKnown = await isKnownDatabase(db, here.database_id)
      const isCopied = db.kind === 'pglite' && noted?.isCopy === true
      if (isKnown === false || isCopied || isBehind(here, noted)) await db.transaction(restored)
      else if (isKnown === null) await db.transaction(tx => writeKnownDatabase(tx, here.database_id))
      await note.write(here)
    },
    recordPosition: async () => note.write(await readPosition(db))
  }
}

const isBehind = (here: DatabasePosition, noted: DatabasePosition | null): boolean =>
  noted !== null &&
  noted.database_id === here.database_id &&
  here.position !== null &&
  noted.position !== null &&
  here.position < noted.position

async function pauseUnderWay({ notify, log, now }: CopyDeps, tx: Tx, database_id: string): Promise<void> {
  const paused = await pauseAll(tx, pausedReason)
  await failQueuedConfirmations(tx)
  await writeKnownDatabase(tx, database_id)
  await writeRestoreTime(tx)
  if (paused === 0) return
  log.warn({ paused }, 'the database is a copy or a restored backup: newsletters under way wait for an operator')
  const source = `newsletter:copy:${database_id}:${now().toISOString()}`
  await notify?.queue(tx, [{ source, notice: copyNotice(paused), kind: 'alert' }])
}
