import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ConflictError, UnavailableError } from '../../core/contract/errors.ts'

/** SQLite's result codes: a lock that another connection holds, and a file that is no whole database. */
const sqlite = { busy: 5, damaged: [11, 26] }

const lockFile = (home: string): string => join(home, 'owner.lock')

/** Whether a process ever owned the home. The file stays when the lock is let go of, and only an owner makes it. */
export const wasOwned = (home: string): boolean => existsSync(lockFile(home))

/** Unreferenced, a connection is closed by the garbage collector, and its lock falls. */
const openLocks = new Set<DatabaseSync>()

export interface HomeLock {
  release(): void
}

/**
 * Makes this process the one owner of the home until it ends: PGlite has no lock of its own, and a second process on
 * its folder destroys rows. The lock is the operating system's, on a SQLite file, so that it falls with the process,
 * however it dies; the pid beside it is for the message only.
 * @throws ConflictError naming the owner's pid, UnavailableError where the home cannot be written to.
 */
export function lockHome(home: string): HomeLock {
  const pidFile = join(home, 'owner.pid')
  const lock = openLock(home)
  try {
    // A journal on disk would need room there.
    lock.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    lock.close()
    throw resultOf(error) === sqlite.busy ? takenError(home, pidFile, error) : unusable(home, error)
  }
  openLocks.add(lock)
  try {
    writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 })
  } catch {
    // The lock holds without it, and a full disk is no reason not to read.
  }
  return {
    release: () => {
      if (!lock.isOpen) return
      openLocks.delete(lock)
      try {
        rmSync(pidFile, { force: true })
      } catch {
        // A disk that is read-only by now keeps the file, which only names who owned the home.
      } finally {
        lock.close()
      }
    }
  }
}

function openLock(home: string): DatabaseSync {
  try {
    return new DatabaseSync(lockFile(home), { timeout: 0 })
  } catch (error) {
    throw unusable(home, error)
  }
}

function unusable(home: string, cause: unknown): UnavailableError {
  const words = cause instanceof Error ? cause.message : cause
  if (sqlite.damaged.includes(resultOf(cause)))
    return new UnavailableError(`${lockFile(home)} is damaged (${words})`, {
      cause,
      remedy: 'it holds nothing but a lock; stop what runs on this home, delete the file, and try again'
    })
  return new UnavailableError(`${lockFile(home)} cannot be written (${words})`, {
    cause,
    remedy: 'check that this user may write there, and that the disk is neither full nor read-only'
  })
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

/** SQLite's primary result code, without what an extended one adds; 0 where it gave none. */
const resultOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0

function takenError(home: string, pidFile: string, cause: unknown): ConflictError {
  const owner = readPid(pidFile)
  const who = owner === undefined ? 'another process' : `process ${owner}`
  const remedy = 'commands reach a server by themselves; stop that process to start another'
  return new ConflictError(`${home} is in use by ${who}`, 'CONFLICT', { cause, remedy })
}
