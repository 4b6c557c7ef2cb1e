import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AppError } from '../../core/contract/errors.ts'

/** A Unix socket's path takes 107 bytes on Linux and 103 on macOS. */
const maxPathBytes = 100

/** Where the owner of a home listens: in the home, or for a long path in a private folder named after it. */
export function socketPath(home: string): string {
  const inHome = path.join(home, 'galley.sock')
  return Buffer.byteLength(inHome) <= maxPathBytes ? inHome : path.join(substituteFolder(home), 'galley.sock')
}

function substituteFolder(home: string): string {
  const hash = createHash('sha256').update(path.resolve(home)).digest('hex').slice(0, 16)
  return path.join(tmpdir(), `galley-${process.getuid?.() ?? 0}-${hash}`)
}

/** Makes the substitute folder when the home's path is too long for a socket. */
export function prepareSocketFolder(home: string): void {
  const folder = path.dirname(socketPath(home))
  if (folder === path.resolve(home)) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  checkSocketFolder(home)
}

/**
 * The substitute folder stands where anybody may make one: only our own, closed to others, is trusted.
 * @throws AppError naming the folder; nothing is thrown when there is none.
 */
export function checkSocketFolder(home: string): void {
  const folder = path.dirname(socketPath(home))
  if (folder === path.resolve(home)) return
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (stats === undefined) return
  const isOwn = stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0
  if (!isOwn)
    throw new AppError('INTERNAL_ERROR', `${folder} is not a private folder of this user: remove it and try again.`)
}
