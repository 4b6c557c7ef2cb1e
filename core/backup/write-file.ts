import { constants, createReadStream, createWriteStream, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { copyFile, link, mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { AppError, ConflictError, NotFoundError } from '../errors.ts'

/** A backup is written beside its place under a name that no one takes for it. */
const unfinished = (file: string, pid: number): string =>
  path.join(path.dirname(file), `.${path.basename(file)}.${pid}.unfinished`)

/**
 * Opens a place for a new file: what is written to it is compressed, and appears under its name once it is whole and on
 * disk. What a killed process left half written is removed.
 * @throws ConflictError when there is a file of that name, AppError when the disk is full or closed to us.
 */
export async function prepareNewFile(file: string): Promise<{
  write(chunks: AsyncIterable<Buffer>): Promise<void>
  commit(): Promise<void>
  discard(): Promise<void>
}> {
  const draft = unfinished(file, process.pid)
  const explained =
    <A extends unknown[]>(work: (...args: A) => Promise<void>) =>
    (...args: A) =>
      work(...args).catch(error => {
        throw explain(file, error)
      })
  await explained(async () => {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    removeLeft(file)
  })()
  if (existsSync(file)) throw taken(file)
  return {
    write: explained(chunks =>
      // `flush`: on disk before the file is closed.
      pipeline(Readable.from(chunks), createGzip(), createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }))
    ),
    commit: explained(async () => {
      // Unlike a rename, a link never takes the place of another file.
      await link(draft, file).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') throw taken(file)
        await copyFile(draft, file, constants.COPYFILE_EXCL)
      })
      await rm(draft)
      await syncFolder(path.dirname(file))
    }),
    discard: () => rm(draft, { force: true })
  }
}

const taken = (file: string) => new ConflictError(`${file} exists: name another file, or remove it.`)

/** A process that still runs may be writing. */
function removeLeft(file: string): void {
  const folder = path.dirname(file)
  const start = `.${path.basename(file)}.`
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(start) || !name.endsWith('.unfinished')) continue
    const pid = Number(name.slice(start.length).split('.')[0])
    if (pid === process.pid || !isRunning(pid)) rmSync(path.join(folder, name), { force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Reads a compressed file. @throws NotFoundError, AppError when it cannot be read, ConflictError when it is no such file. */
export async function* readCompressed(file: string): AsyncGenerator<Buffer> {
  await checkCompressed(file)
  const source = createReadStream(file)
  const unzip = createGunzip()
  const done = pipeline(source, unzip)
  // Reported by the loop below, which reads from the same stream.
  done.catch(() => {})
  yield* unzip as AsyncIterable<Buffer>
  await done
}

/** What every gzip file begins with. */
const magic = Buffer.from([0x1f, 0x8b])

async function checkCompressed(file: string): Promise<void> {
  if (!existsSync(file)) throw new NotFoundError(`There is no file ${file}.`)
  if (statSync(file).isDirectory()) throw new NotFoundError(`${file} is a folder: name the file of the backup.`)
  const first = await readStart(file)
  if (first.equals(magic)) return
  const what = first.length === 0 ? 'it is empty' : 'it is no gzip file, which "galley backup create" writes'
  throw new ConflictError(`${file} is not a backup: ${what}.`)
}

async function readStart(file: string): Promise<Buffer> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new AppError('INTERNAL_ERROR', `${file} cannot be read (${error.code}): check its permissions.`, {
      cause: error
    })
  })
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(magic.length), 0, magic.length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** A fault of the file system is the operator's to repair; any other is passed on. */
export function explain(file: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (error instanceof AppError || syscall === undefined) return error
  const why =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? 'the disk is full: make room, or name a file on another disk'
      : `${code} in ${syscall}: check the path and its permissions`
  return new AppError('INTERNAL_ERROR', `${file} cannot be written (${why}). Nothing was left behind.`, {
    cause: error
  })
}
