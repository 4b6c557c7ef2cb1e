import { randomBytes } from 'node:crypto'
import { constants, copyFileSync, existsSync } from 'node:fs'
import { updateBootstrap } from '../../core/bootstrap-update.ts'
import type { Db } from '../../core/contract/database.ts'
import { ConflictError } from '../../core/contract/errors.ts'
import { bootstrapFile, readBootstrap } from '../../core/home.ts'
import { isKey, nextKey } from '../../core/keyring.ts'
import { listSecrets } from '../../core/settings/repository.ts'
import { version } from '../../core/version.ts'
import type { Environment } from '../config/home.ts'
import { requireDatabase } from '../database/data-folder.ts'
import { openDatabase } from '../database/open.ts'
import { databaseName } from '../database/postgres/server-name.ts'
import { countSessions, hasTable } from '../database/repository.ts'
import { tryServer } from '../database/try-server.ts'
import { discardSecrets, matchKey } from '../keys/lost-secrets.ts'
import { lockWithoutServer } from '../owner/claim-home.ts'
import { type Bootstrap, commitBootstrap, createHome, prepareBootstrap } from './bootstrap-file.ts'

export const discardQuestion =
  'Secrets that POINDEXTER_SECRET_KEY does not open are deleted for good, and so is the first client’s. If the key is to be had, put it back into bootstrap.env instead. Go on?'

interface DiscardRequest {
  env: Environment
  home: string
  /** As `setup` would write it: a key that is missing was made. */
  bootstrap: Bootstrap
}

/**
 * Deletes the secrets that no known key opens and, where none is left to open, writes a new key to `bootstrap.env`, so that
 * everything else in the database can be used again. The file comes first: stopped in between, a second run completes it.
 * Returns the names of the secrets that have to be set again.
 * @throws ConflictError while a server runs, and where the key opens every secret.
 */
export async function discardLostSecrets(request: DiscardRequest): Promise<string[]> {
  const { home, bootstrap } = request
  const url = bootstrap.DATABASE_URL
  createHome(home)
  if (url === undefined) requireDatabase(home)
  else await tryServer(url, home)
  const lock = url === undefined ? await lockHomeAlone(home) : undefined
  try {
    const db = await openDatabase(url === undefined ? { home } : { home, url, applicationName: 'galley setup' })
    try {
      return await discardIn(db, request)
    } finally {
      await db.close()
    }
  } finally {
    lock?.release()
  }
}

const lockHomeAlone = (home: string) =>
  lockWithoutServer(
    { home, version },
    pid => `A server runs on ${home} (process ${pid}), and has its key: stop it first.`
  )

async function discardIn(db: Db, { env, home, bootstrap: planned }: DiscardRequest) {
  const name = databaseName(planned.DATABASE_URL)
  if (!(await hasTable(db, 'app_settings')))
    throw new ConflictError(`${name} holds no installation: there are no secrets in it. Run galley setup.`)
  const sessions = db.kind === 'pglite' ? 0 : await countSessions(db)
  if (sessions > 0)
    throw new ConflictError(`The service is connected to ${name}, and has its key: stop its servers and workers first.`)
  const bootstrap = await chooseKey(db, env, home, planned)
  writeKeys(home, bootstrap)
  return await db.transaction(tx => discardSecrets(tx, bootstrap.POINDEXTER_SECRET_KEY))
}

/** A key that opens anything is kept; one of the environment is the operator's choice. */
async function chooseKey(db: Db, env: Environment, home: string, planned: Bootstrap): Promise<Bootstrap> {
  const present = readBootstrap(home) ?? {}
  const given = env.POINDEXTER_SECRET_KEY || undefined
  if (given !== undefined && !isKey(given))
    throw new ConflictError('POINDEXTER_SECRET_KEY in the environment is no key: unset it, or give 32 bytes in base64.')
  const known = given === undefined ? [present.POINDEXTER_SECRET_KEY, present[nextKey]] : [given]
  const stored = await listSecrets(db)
  const { lost, opening } = matchKey(stored, known.filter(key => key !== undefined).filter(isKey))
  if (opening !== undefined && lost.length === 0)
    throw new ConflictError(
      `POINDEXTER_SECRET_KEY opens every secret (${stored.length}): there is nothing to discard. Nothing was changed.`
    )
  return { ...planned, POINDEXTER_SECRET_KEY: opening ?? given ?? randomBytes(32).toString('base64') }
}

/** The file as it was stays beside it, and those of times before: their keys may open what is elsewhere, such as backups. */
function writeKeys(home: string, bootstrap: Bootstrap): void {
  const file = bootstrapFile(home)
  const { POINDEXTER_SECRET_KEY, GALLEY_JWT_SECRET } = bootstrap
  if (!existsSync(file)) {
    prepareBootstrap(home, bootstrap)
    commitBootstrap(home)
  } else if (readBootstrap(home)?.POINDEXTER_SECRET_KEY !== POINDEXTER_SECRET_KEY) {
    copyFileSync(file, freeName(`${file}.before-discard`), constants.COPYFILE_EXCL)
    updateBootstrap(home, { POINDEXTER_SECRET_KEY, GALLEY_JWT_SECRET, [nextKey]: null })
  }
}

function freeName(name: string): string {
  let free = name
  for (let n = 2; existsSync(free); n++) free = `${name}-${n}`
  return free
}
