import type { Db } from '../../core/contract/database.ts'
import { AppError, UnavailableError } from '../../core/contract/errors.ts'
import { checkServer } from '../../core/db/postgres/requirements.ts'
import { requireUtf8 } from './encoding.ts'
import { faultMessage, remedyOfConnection } from './faults.ts'
import { openDatabase } from './open.ts'
import { refuseTransactionPooling } from './pooler.ts'
import { databaseName } from './postgres/server-name.ts'
import { requireWritable } from './statement-faults.ts'

/** @throws AppError saying what a server lacks for an installation, or why it cannot be used. */
export async function tryServer(url: string, home: string): Promise<void> {
  const db = await openDatabase({ url, home, max: 1 }).catch(error => unusable(error, url))
  try {
    await checkConnection(db, url)
  } finally {
    await db.close()
  }
}

/** The same for a database that is open; `url` is undefined for the embedded one. */
export async function checkConnection(db: Db, url: string | undefined): Promise<void> {
  try {
    if (url !== undefined) await refuseTransactionPooling(url)
    await checkServer(db)
    await requireUtf8(db)
    await requireWritable(db)
  } catch (error) {
    unusable(error, url)
  }
}

function unusable(error: unknown, url: string | undefined): never {
  if (error instanceof AppError && !(error instanceof UnavailableError)) throw error
  // The driver's own words say most: no such host, wrong password, no such database.
  const cause = error instanceof UnavailableError ? error.cause : error
  const remedy = remedyOfConnection(cause) ?? 'check the address, the login and that the server runs'
  throw new UnavailableError(`${databaseName(url)} cannot be used (${faultMessage(cause)}): ${remedy}.`, { cause })
}
