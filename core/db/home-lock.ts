import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ConflictError } from '../errors.ts'

/** SQLite's result code for a lock that another connection holds. */
const sqliteBusy = 5

/** Unreferenced, a connection is closed by the garbage collector, and its lock falls. */
const held = new Set<DatabaseSync>()

export interface HomeLock {
  release(): void
}

/**
 * Makes this process the one owner of the home until it ends: PGlite has no lock of its own, and a second process on
 * its folder destroys rows. The lock is the operating system's, on a SQLite file, so that it falls with the process,
 * however it dies; the pid beside it is for the message only.
 * @throws ConflictError naming the owner's pid.
 */
export function lockHome(home: string): HomeLock {
  const pidFile = join(home, 'owner.pid')
  const lock = new DatabaseSync(join(home, 'owner.lock'), { timeout: 0 })
  try {
    // A journal on disk would need room there.
    lock.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    lock.close()
    throw isBusy(error) ? takenError(home, pidFile, error) : error
  }
  held.add(lock)
  try {
    writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 })
  } catch {
    // The lock holds without it, and a full disk is no reason not to read.
  }
  return {
    release: () => {
      if (!lock.isOpen) return
      rmSync(pidFile, { force: true })
      held.delete(lock)
      lock.close()
    }
  }
}

/** The pid of the process that owns the home, or undefined when none says so. It may be of a process that has died. */
export function readOwnerPid(home: string): number | undefined {
  return readPid(join(home, 'owner.pid'))
}

function readPid(file: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
    return Number.isInteger(pid) ? pid : undefined
  } catch {
    return undefined // the owner is between taking the lock and writing its pid
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy
}

function takenError(home: string, pidFile: string, cause: unknown): ConflictError {
  const owner = readPid(pidFile)
  const who = owner === undefined ? 'another process' : `process ${owner}`
  const remedy = 'commands reach a server by themselves; stop that process to start another'
  return new ConflictError(`${home} is in use by ${who}`, 'CONFLICT', { cause, remedy })
}
