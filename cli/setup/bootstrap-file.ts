import { chmodSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { quoteValue, syncFolderSync, updateBootstrap, writeDurably } from '../../core/bootstrap-update.ts'
import { AppError } from '../../core/contract/errors.ts'
import { bootstrapFile, readBootstrap } from '../../core/home.ts'
import { errorCode } from '../../core/unknown.ts'
import { makeFoldersSync } from '../../files/make-folders.ts'
import { unfinishedFile } from '../config/home.ts'

/** What `bootstrap.env` holds. */
export interface Bootstrap {
  DATABASE_URL?: string | undefined
  POINDEXTER_SECRET_KEY: string
  GALLEY_JWT_SECRET: string
}

/**
 * Makes the home, closed to others.
 * @throws AppError for a folder that others may enter and that already holds something: it is not ours to close.
 */
export function createHome(home: string): void {
  try {
    makeFoldersSync(home, 0o700)
    if ((statSync(home).mode & 0o077) === 0) return
    if (readdirSync(home).length === 0) {
      chmodSync(home, 0o700)
      return
    }
  } catch (error) {
    throw new AppError(
      'INTERNAL_ERROR',
      `${home} cannot be made or opened (${errorCode(error)}): name another folder with GALLEY_HOME.`,
      { cause: error }
    )
  }
  throw new AppError(
    'INTERNAL_ERROR',
    `${home} may be entered by others: run chmod 700 ${home}, or name another folder with GALLEY_HOME.`
  )
}

/** Puts the values on disk, readable by their owner only, without making them count yet. */
export function prepareBootstrap(home: string, values: Bootstrap): void {
  const lines = Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${quoteValue(value)}`]
  )
  const notice = '# Keys of this installation. Without them its secrets cannot be read: keep a copy in a safe place.'
  rmSync(unfinishedFile(home), { force: true })
  writeDurably(unfinishedFile(home), `${[notice, ...lines].join('\n')}\n`)
}

/** Makes what was prepared `bootstrap.env`, at one stroke. */
export function commitBootstrap(home: string): void {
  renameSync(unfinishedFile(home), bootstrapFile(home))
  syncFolderSync(home)
}

/** Adds what an existing `bootstrap.env` lacks. The keys it has stay: stored secrets depend on them, and they may just be rotated. */
export function completeBootstrap(home: string, values: Bootstrap): void {
  const present = readBootstrap(home) ?? {}
  const isMissing = ([key, value]: [string, string | undefined]) =>
    value !== undefined && value !== present[key] && (key === 'DATABASE_URL' || !present[key])
  const missing = Object.entries(values).filter(isMissing)
  if (missing.length > 0) updateBootstrap(home, Object.fromEntries(missing))
}
