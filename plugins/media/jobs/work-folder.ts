import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, statfs, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Installation } from '#core'
import { maxWavBytes } from '../audio/wav.ts'
import { cannotBeWritten, guardWriting } from '../work-fault.ts'

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
  /** Has a file written under another name, and renames it: a crash at any time leaves the whole file, or none. */
  fill<Result>(file: string, write: (unfinished: string) => Promise<Result>): Promise<Result>
  /** The same for bytes. @throws UnavailableError where it cannot be written */
  save(file: string, content: Uint8Array): Promise<void>
  /** Path of a file by its name. */
  pathOf(name: string): string
  /** Removes all but these. */
  keepOnly(files: readonly string[]): Promise<void>
}

/** It has a folder for each post, by its id. */
export const workRoot = ({ home }: Home): string => path.join(home, 'work', 'media')

export const workFolderOf = (home: Home, post_id: string): string => path.join(workRoot(home), post_id)

/** How the names of what a film is made in, and of a finished one that is not stored yet, begin. */
export const filmPrefix = 'film-'

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
    fill: (file, write) => fill(folder, file, write),
    save: (file, content) =>
      fill(folder, file, unfinished => guardWriting(folder, () => writeFile(unfinished, content, { mode: 0o600 }))),
    pathOf: name => path.join(folder, name),
    keepOnly: async files => {
      const needed = new Set(files.map(file => path.basename(file)))
      const others = (await readdir(folder)).filter(name => !needed.has(name))
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

/** Whether a file is one that was being filled: it has its name, and the UUID of the try. */
export const isHalfWritten = (name: string): boolean => /\.[0-9a-f]{8}-[0-9a-f-]{27}$/.test(name)

async function fill<Result>(
  folder: string,
  file: string,
  write: (unfinished: string) => Promise<Result>
): Promise<Result> {
  const unfinished = `${file}.${randomUUID()}`
  try {
    const result = await write(unfinished)
    await guardWriting(folder, () => rename(unfinished, file))
    return result
  } finally {
    await rm(unfinished, { force: true })
  }
}
