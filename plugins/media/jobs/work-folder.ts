import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, statfs, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { errorCode, type Installation, UnavailableError } from '#core'
import { maxWavBytes } from '../speech/speech-error.ts'

export type Home = Pick<Installation, 'home'>

/**
 * Where the spoken pieces of a post lie: a job that goes on after a kill, or after an edit, has none of them spoken twice.
 * Another machine begins anew.
 */
export interface WorkFolder {
  /** Path of the piece with this identity. */
  pieceOf(identity: string): string
  /** Null for a file that is not there. */
  bytesOf(file: string): Promise<number | null>
  read(file: string): Promise<Buffer | null>
  /** Asked before something is spoken that may have to be paid for. @throws UnavailableError where it could not be saved */
  requireRoom(): Promise<void>
  /** @throws UnavailableError where it cannot be written */
  save(file: string, content: Uint8Array): Promise<void>
  /** Path of a file by its name. */
  pathOf(name: string): string
  /** Removes all but these. */
  keepOnly(files: readonly string[]): Promise<void>
}

/** It has a folder for each post, by its id. */
export const workRoot = ({ home }: Home): string => path.join(home, 'work', 'media')

export const workFolderOf = (home: Home, post_id: string): string => path.join(workRoot(home), post_id)

/** For a post whose media nobody wants any more. */
export const removeWorkFolder = (home: Home, post_id: string): Promise<void> =>
  rm(workFolderOf(home, post_id), { recursive: true, force: true })

export async function openWorkFolder(home: Home, post_id: string): Promise<WorkFolder> {
  const folder = workFolderOf(home, post_id)
  await guardWriting(folder, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // Its age is counted from its last use.
    await utimes(folder, new Date(), new Date())
  })
  return {
    pieceOf: identity => path.join(folder, `${createHash('sha256').update(identity).digest('hex')}.wav`),
    bytesOf: file =>
      stat(file).then(
        ({ size }) => size,
        () => null
      ),
    read: file => readFile(file).catch(() => null),
    requireRoom: () => requireRoom(folder),
    save: (file, content) => guardWriting(folder, () => writeWhole(file, content)),
    pathOf: name => path.join(folder, name),
    keepOnly: async files => {
      const kept = new Set(files.map(file => path.basename(file)))
      const others = (await readdir(folder)).filter(name => !kept.has(name))
      await Promise.all(others.map(name => rm(path.join(folder, name), { recursive: true, force: true })))
    }
  }
}

/** The longest sentence an engine may send, and some more. */
const roomBytes = maxWavBytes + 2_000_000

async function requireRoom(folder: string): Promise<void> {
  const { bavail, bsize } = await guardWriting(folder, () => statfs(folder))
  if (bavail * bsize < roomBytes) throw cannotBeWritten(folder, 'ENOSPC', undefined)
}

/** A crash at any time leaves the whole file under its name, or none. */
async function writeWhole(file: string, content: Uint8Array): Promise<void> {
  const unfinished = `${file}.${randomUUID()}`
  try {
    await writeFile(unfinished, content, { mode: 0o600 })
    await rename(unfinished, file)
  } finally {
    await rm(unfinished, { force: true })
  }
}

/** Work that writes to a folder. @throws UnavailableError where that cannot be done */
export async function guardWriting<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    throw cannotBeWritten(folder, errorCode(error), error)
  }
}

/** The disk is full, or the folder was taken away. */
export const cannotBeWritten = (folder: string, code: unknown, cause: unknown): UnavailableError =>
  new UnavailableError(
    `The work folder ${folder} cannot be used (${code}): make room on its disk, or check its permissions.`,
    { cause }
  )
