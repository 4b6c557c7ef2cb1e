import { createHash, randomUUID } from 'node:crypto'
import { appendFile, lstat, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { UnavailableError } from '#core'

/** A file as it was written. */
export interface Written {
  path: string
  bytes: number
  sha256: string
}

/** The folder an export goes to. Paths are relative to it, with `/`. */
export interface ExportFolder {
  readonly root: string
  /** The default folder in the home: nobody else writes there. */
  readonly isOwn: boolean
  /** Makes what is missing of it and removes what a killed process left half written. */
  prepare(): Promise<void>
  /** The text of a file; null when there is none. @throws UnavailableError for a link, and for more than an export's own files hold. */
  read(file: string): Promise<string | null>
  /** Replaces a file at once: readers see the old one or the whole new one. */
  write(file: string, chunks: Iterable<string> | AsyncIterable<string>): Promise<Written>
  /** Names of the files in a folder. */
  list(folder: string): Promise<string[]>
  remove(file: string): Promise<void>
  /** True for a link that leads nowhere, too. */
  exists(file: string): Promise<boolean>
  append(file: string, text: string): Promise<void>
}

const unfinished = /^\.galley-[0-9a-f-]{36}\.tmp$/

/** `export_target` as a folder; empty is the folder `export` in the home. */
export function folderOf(target: string, home: string): string {
  return target === '' ? path.join(home, 'export') : path.resolve(`/${target.replace(/^file:\/*/, '')}`)
}

/** @throws UnavailableError from everything, when the folder cannot be used. */
export function createExportFolder(root: string, isOwn: boolean): ExportFolder {
  const at = (file: string) => path.join(root, file)
  const guarded =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    (...args: A) =>
      work(...args).catch((error: unknown) => {
        throw explain(root, error)
      })
  const remove = (file: string) => rm(at(file), { force: true })
  const look = (file: string) => lstat(at(file)).catch(nullWhenMissing)
  return {
    root,
    isOwn,
    exists: guarded(async file => (await look(file)) !== null),
    append: guarded((file, text) => appendFile(at(file), text)),
    prepare: guarded(async () => {
      if ((await look('posts'))?.isSymbolicLink()) throw linked(root, 'posts')
      await mkdir(at('posts'), { recursive: true })
      for (const folder of ['', 'posts']) {
        const left = (await readdir(at(folder))).filter(name => unfinished.test(name))
        for (const name of left) await remove(path.join(folder, name))
      }
    }),
    read: guarded(async file => {
      const found = await look(file)
      if (found?.isSymbolicLink()) throw linked(root, file)
      if ((found?.size ?? 0) > longestFile) throw tooLong(root, file)
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
  const draft = path.join(path.dirname(file), `.galley-${randomUUID()}.tmp`)
  try {
    const written = await writeTo(draft, chunks)
    await rename(draft, file)
    return written
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Small chunks are gathered: a write for each post of a long list would cost more than the post. */
const gatheredBytes = 65_536

async function writeTo(draft: string, chunks: Iterable<string> | AsyncIterable<string>) {
  const handle = await open(draft, 'wx')
  const hash = createHash('sha256')
  let bytes = 0
  let gathered = ''
  const flush = async () => {
    const data = Buffer.from(gathered)
    gathered = ''
    hash.update(data)
    bytes += data.length
    await handle.writeFile(data)
  }
  try {
    for await (const chunk of chunks) {
      gathered += chunk
      if (gathered.length >= gatheredBytes) await flush()
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

/** A manifest of half a million posts. */
const longestFile = 256 * 1024 * 1024

const tooLong = (root: string, file: string) =>
  new UnavailableError(
    `${file} in the export folder ${root} is too long for an export's: remove it, or set export_target.`
  )

/** What is written through a link lands in a folder nobody named. */
const linked = (root: string, file: string) =>
  new UnavailableError(`${file} in the export folder ${root} is a link: replace it, or set export_target.`)

/** A fault of the file system is the operator's to repair; any other is passed on. */
function explain(root: string, error: unknown): unknown {
  const { syscall, code } = error as NodeJS.ErrnoException
  if (syscall === undefined) return error
  return new UnavailableError(
    `The export folder ${root} cannot be used (${code} in ${syscall}): check its permissions and space, or set export_target.`,
    { cause: error }
  )
}
