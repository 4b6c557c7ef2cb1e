import { createHash } from 'node:crypto'
import { appendFile, lstat, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { UnavailableError } from '#core'
import { createFolderGuard, isTemporaryName, temporaryName } from '#files'

/** A file as it was written. */
export interface Written {
  path: string
  bytes: number
  sha256: string
}

/** The folder an export goes to. Paths are relative to it, with `/`. */
export interface ExportFolder {
  readonly root: string
  /** The default folder in the home, where nobody else writes. */
  readonly isOwn: boolean
  /** Creates missing folders and removes unfinished files of a killed process. */
  prepare(): Promise<void>
  /** The text of a file; null when there is none. @throws UnavailableError for a link or a file that is too large */
  read(file: string): Promise<string | null>
  /** Replaces a file atomically. */
  write(file: string, chunks: Iterable<string> | AsyncIterable<string>): Promise<Written>
  /** Names of the files in a folder. */
  list(folder: string): Promise<string[]>
  remove(file: string): Promise<void>
  /** Also true for a dangling link. */
  exists(file: string): Promise<boolean>
  append(file: string, text: string): Promise<void>
}

/** `export_target` as a folder; empty is the folder `export` in the home. */
export function exportRoot(target: string, home: string): string {
  return target === '' ? path.join(home, 'export') : path.resolve(`/${target.replace(/^file:\/*/, '')}`)
}

/** Every method throws UnavailableError when the folder cannot be used. */
export function createExportFolder(root: string, isOwn: boolean): ExportFolder {
  const at = (file: string) => path.join(root, file)
  const guarded = createFolderGuard({ name: `The export folder ${root}`, setting: 'export_target' })
  const remove = (file: string) => rm(at(file), { force: true })
  const statOf = (file: string) => lstat(at(file)).catch(nullWhenMissing)
  return {
    root,
    isOwn,
    exists: guarded(async file => (await statOf(file)) !== null),
    append: guarded((file, text) => appendFile(at(file), text)),
    prepare: guarded(async () => {
      if ((await statOf('posts'))?.isSymbolicLink()) throw linked(root, 'posts')
      await mkdir(at('posts'), { recursive: true })
      for (const folder of ['', 'posts']) {
        const left = (await readdir(at(folder))).filter(isTemporaryName)
        for (const name of left) await remove(path.join(folder, name))
      }
    }),
    read: guarded(async file => {
      const found = await statOf(file)
      if (found?.isSymbolicLink()) throw linked(root, file)
      if ((found?.size ?? 0) > maxFileBytes) throw fileTooLong(root, file)
      return found === null ? null : await readFile(at(file), 'utf8')
    }),
    write: guarded((file: string, chunks) => replace(at(file), chunks).then(written => ({ path: file, ...written }))),
    list: guarded(async folder => {
      const entries = await readdir(at(folder), { withFileTypes: true })
      return entries.filter(entry => entry.isFile()).map(entry => entry.name)
    }),
    remove: guarded(remove)
  }
}

async function replace(file: string, chunks: Iterable<string> | AsyncIterable<string>): Promise<Omit<Written, 'path'>> {
  const temporaryFile = path.join(path.dirname(file), temporaryName())
  try {
    const written = await writeTo(temporaryFile, chunks)
    await rename(temporaryFile, file)
    return written
  } catch (error) {
    await rm(temporaryFile, { force: true })
    throw error
  }
}

/** Chunks are buffered: a write for each post of a list would cost more than the post. */
const bufferLength = 65_536

async function writeTo(temporaryFile: string, chunks: Iterable<string> | AsyncIterable<string>) {
  const handle = await open(temporaryFile, 'wx')
  const hash = createHash('sha256')
  let bytes = 0
  let buffered = ''
  const flush = async () => {
    const data = Buffer.from(buffered)
    buffered = ''
    hash.update(data)
    bytes += data.length
    await handle.writeFile(data)
  }
  try {
    for await (const chunk of chunks) {
      buffered += chunk
      if (buffered.length >= bufferLength) await flush()
    }
    await flush()
  } finally {
    await handle.close()
  }
  return { bytes, sha256: hash.digest('hex') }
}

function nullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

/** Enough for a manifest of half a million posts. */
const maxFileBytes = 256 * 1024 * 1024

const fileTooLong = (root: string, file: string) =>
  new UnavailableError(
    `${file} in the export folder ${root} is too large for an export: remove it, or set export_target.`
  )

/** Writing through a link would change a folder that nobody named. */
const linked = (root: string, file: string) =>
  new UnavailableError(`${file} in the export folder ${root} is a link: replace it, or set export_target.`)
