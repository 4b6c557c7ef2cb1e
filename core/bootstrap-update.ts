import {
  chownSync,
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError, ConflictError } from './contract/errors.ts'
import { bootstrapFile, parseVariables, readBootstrap } from './home.ts'
import { errorCode } from './unknown.ts'

/** A change takes milliseconds; whoever holds the lock longer than this hangs. */
const lockTimeoutMs = 10_000

/**
 * Changes keys of `bootstrap.env` and leaves every other line as it is; null removes a key. Processes take turns, and
 * the file is the old one or the new one at any moment, whenever the process or the machine stops.
 * @throws ConflictError when there is no such file, AppError when it cannot be written; the old one then stays.
 */
export function updateBootstrap(home: string, changes: Readonly<Record<string, string | null>>): void {
  const file = bootstrapFile(home)
  const lock = new DatabaseSync(path.join(home, 'bootstrap.lock'), { timeout: lockTimeoutMs })
  try {
    // A journal on disk would need room there, and hide the message that says so.
    lock.exec('pragma journal_mode = memory; begin exclusive')
    // Also refuses a file that others may read.
    if (readBootstrap(home) === null) throw new ConflictError(`There is no ${file}: run galley setup.`)
    const text = editVariables(readFileSync(file, 'utf8'), changes)
    checkEdit(file, text, changes)
    replaceFile(file, text)
  } finally {
    lock.close()
  }
}

function editVariables(text: string, changes: Readonly<Record<string, string | null>>): string {
  let lines = text.replace(/\n$/, '').split('\n')
  for (const [key, value] of Object.entries(changes)) {
    const isOf = (line: string) => new RegExp(`^[\\s\\ufeff]*(export\\s+)?${key}\\s*=`).test(line)
    const at = lines.findIndex(isOf)
    const fresh = value === null ? [] : [`${key}=${quoteValue(value)}`]
    lines = [
      ...lines.slice(0, at === -1 ? lines.length : at),
      ...fresh,
      ...lines.slice(at === -1 ? lines.length : at).filter(line => !isOf(line))
    ]
  }
  return `${lines.join('\n')}\n`
}

/** Editing line by line must not damage a value over several lines, or a file that is written in another way. */
function checkEdit(file: string, text: string, changes: Readonly<Record<string, string | null>>): void {
  const wanted = { ...readBootstrap(path.dirname(file)), ...changes }
  const got = parseVariables(text)
  const keys = new Set([...Object.keys(wanted), ...Object.keys(got)])
  const damagedKey = [...keys].find(key => (wanted[key] ?? null) !== (got[key] ?? null))
  if (damagedKey === undefined) return
  throw new AppError(
    'INTERNAL_ERROR',
    `${file} cannot be edited: write ${damagedKey} on one line, once, and try again.`
  )
}

function replaceFile(file: string, text: string): void {
  const { uid, gid } = statSync(file)
  const fresh = `${file}.new`
  try {
    rmSync(fresh, { force: true })
    writeDurably(fresh, text)
    // Root edits for the user the installation belongs to.
    if (uid !== process.getuid?.()) chownSync(fresh, uid, gid)
    renameSync(fresh, file)
    syncFolderSync(path.dirname(file))
  } catch (cause) {
    rmSync(fresh, { force: true })
    throw new AppError(
      'INTERNAL_ERROR',
      `${file} cannot be written (${errorCode(cause)}). It is unchanged. Free some space or fix its permissions, and try again.`,
      { cause }
    )
  }
}

/** Single quotes keep `#`, blanks and `$` of a database's password as they are. */
export function quoteValue(value: string): string {
  if (/^[\w:/@.=+?&%,-]*$/.test(value)) return value
  if (value.includes("'") || /[\r\n]/.test(value))
    throw new AppError('INTERNAL_ERROR', 'The database URL has a quote or line break: write it percent-encoded.')
  return `'${value}'`
}

/** Writes a new file that only its owner may read, and waits until it is on the disk. */
export function writeDurably(file: string, text: string): void {
  writeFileSync(file, text, { flag: 'wx', mode: 0o600, flush: true })
}

/** A rename itself must survive a power cut. */
export function syncFolderSync(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
