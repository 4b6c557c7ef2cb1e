import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync
} from 'node:fs'
import { AppError } from '../core/errors.ts'
import { bootstrapFile } from '../core/home.ts'

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
    mkdirSync(home, { recursive: true, mode: 0o700 })
    if ((statSync(home).mode & 0o077) === 0) return
    if (readdirSync(home).length === 0) {
      chmodSync(home, 0o700)
      return
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new AppError(
      'INTERNAL_ERROR',
      `${home} cannot be made or opened (${code}): name another folder with GALLEY_HOME.`,
      { cause: error }
    )
  }
  throw new AppError(
    'INTERNAL_ERROR',
    `${home} may be entered by others: run chmod 700 ${home}, or name another folder with GALLEY_HOME.`
  )
}

/** The file before it counts. While it is there and `bootstrap.env` is not, a first setup has not ended. */
export const unfinishedFile = (home: string): string => `${bootstrapFile(home)}.unfinished`

/** Puts the values on disk, readable by their owner only, without making them count yet. */
export function prepareBootstrap(home: string, values: Bootstrap): void {
  const lines = Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${quote(value)}`]
  )
  const notice = '# Keys of this installation. Without them its secrets cannot be read: keep a copy in a safe place.'
  rmSync(unfinishedFile(home), { force: true })
  writeDurably(unfinishedFile(home), `${[notice, ...lines].join('\n')}\n`)
}

/** Makes what was prepared `bootstrap.env`, at one stroke. */
export function commitBootstrap(home: string): void {
  renameSync(unfinishedFile(home), bootstrapFile(home))
  syncFolder(home)
}

/** Single quotes keep `#`, blanks and `$` of a database's password as they are. */
function quote(value: string): string {
  if (/^[\w:/@.=+?&%,-]*$/.test(value)) return value
  if (value.includes("'") || /[\r\n]/.test(value))
    throw new AppError('INTERNAL_ERROR', 'The database URL has a quote or line break: write it percent-encoded.')
  return `'${value}'`
}

function writeDurably(file: string, text: string): void {
  const handle = openSync(file, 'wx', 0o600)
  try {
    writeSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** The rename itself must survive a power cut. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
