import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Db, errorCode, type Installation, isObject, type Log, type Tx } from '#core'
import { temporaryName } from '#files'
import type { Notify } from '#plugins/notify'
import { copyNotice } from '../notices.ts'
import { failQueuedConfirmations } from '../repository/confirmations.ts'
import { pauseAll } from '../repository/sends.ts'
import { type DatabasePosition, readKnownDatabase, readPosition, writeKnownDatabase } from '../repository/state.ts'

/**
 * Notices that the database is a copy, or was restored from a backup: then it does not know what was mailed since, and
 * everything under way waits for an operator. A dump has another id than the database it was made of. Files that were put back
 * have a smaller position in their log than the one noted in the home.
 */
export interface Copies {
  /** Before anything is mailed. */
  check(): Promise<void>
  /** Notes how far the database is: mails follow. */
  note(): Promise<void>
  /** The same as `check` in the transaction of a restore. */
  restored(tx: Tx): Promise<void>
}

export interface CopyDeps {
  db: Db
  installation: Installation
  notify: Notify | undefined
  log: Log
}

const pausedReason =
  'The database is a copy or a restored backup, and may not know of mails that were sent: look before you go on with it.'

export function createCopies(deps: CopyDeps): Copies {
  const { db, installation } = deps
  const file = path.join(installation.home, 'newsletter-position.json')
  const restored = async (tx: Tx) => pauseUnderWay(deps, tx, (await readPosition(tx)).database_id)
  return {
    restored,
    async check() {
      // The note first: another job may be writing a later one, and the database only grows.
      const noted = await readNoted(file)
      const [here, known] = await Promise.all([readPosition(db), readKnownDatabase(db)])
      const isOther = known !== null && known !== here.database_id
      if (isOther || isBehind(here, noted)) await db.transaction(restored)
      else if (known === null) await db.transaction(tx => writeKnownDatabase(tx, here.database_id))
      await write(file, here)
    },
    note: async () => write(file, await readPosition(db))
  }
}

const isBehind = (here: DatabasePosition, noted: DatabasePosition | null): boolean =>
  noted !== null &&
  noted.database_id === here.database_id &&
  here.position !== null &&
  noted.position !== null &&
  here.position < noted.position

async function pauseUnderWay({ notify, log }: CopyDeps, tx: Tx, database_id: string): Promise<void> {
  const paused = await pauseAll(tx, pausedReason)
  await failQueuedConfirmations(tx)
  await writeKnownDatabase(tx, database_id)
  if (paused === 0) return
  log.warn({ paused }, 'the database is a copy or a restored backup: newsletters under way wait for an operator')
  const source = `newsletter:copy:${database_id}:${Date.now()}`
  await notify?.queue(tx, [{ source, notice: copyNotice(paused), kind: 'alert' }])
}

/** Null where nothing was noted, or something else was written there. */
async function readNoted(file: string): Promise<DatabasePosition | null> {
  try {
    const noted: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (!isObject(noted) || typeof noted.database_id !== 'string' || typeof noted.position !== 'number') return null
    return { database_id: noted.database_id, position: noted.position }
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return null
    throw error
  }
}

async function write(file: string, position: DatabasePosition): Promise<void> {
  const unfinished = path.join(path.dirname(file), temporaryName())
  await writeFile(unfinished, JSON.stringify(position), { mode: 0o600 })
  await rename(unfinished, file)
}
