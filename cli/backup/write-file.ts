import { constants, createWriteStream, existsSync, readdirSync, rmSync } from 'node:fs'
import { copyFile, link, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, gzipSync } from 'node:zlib'
import { syncFolder } from '#files'
import { makeFolders } from '#files/make-folders'
import { AppError, ConflictError } from '../../core/contract/errors.ts'
import { errorCode } from '../../core/unknown.ts'
import { footerOf } from './footer.ts'

/** A backup is written beside its place under a name that no one takes for it. */
const temporaryPath = (file: string, pid: number): string =>
  path.join(path.dirname(file), `.${path.basename(file)}.${pid}.unfinished`)

/**
 * Opens a place for a new file: what is written to it is compressed, and appears under its name once it is whole and on
 * disk. What a killed process left half written is removed.
 * @throws ConflictError when there is a file of that name, AppError when the disk is full or closed to us.
 */
export async function prepareNewFile(file: string): Promise<{
  /** `tail` is asked for once the rest is written, and packed by itself: `backup list` reads only that. */
  write(chunks: AsyncIterable<Buffer>, tail: () => Buffer): Promise<void>
  commit(): Promise<void>
  discard(): Promise<void>
}> {
  const temporaryFile = temporaryPath(file, process.pid)
  const explained =
    <A extends unknown[]>(work: (...args: A) => Promise<void>) =>
    (...args: A) =>
      work(...args).catch(error => {
        throw explainFileFault(file, error)
      })
  await explained(async () => {
    await makeFolders(path.dirname(file), 0o700)
    removeLeftovers(file)
  })()
  if (existsSync(file)) throw taken(file)
  return {
    write: explained((chunks: AsyncIterable<Buffer>, tail: () => Buffer) => writePacked(temporaryFile, chunks, tail)),
    commit: explained(async () => {
      // Unlike a rename, a link never takes the place of another file.
      await link(temporaryFile, file).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') throw taken(file)
        await copyDurably(temporaryFile, file)
      })
      await rm(temporaryFile)
      await syncFolder(path.dirname(file))
    }),
    discard: () => rm(temporaryFile, { force: true })
  }
}

async function writePacked(temporaryFile: string, chunks: AsyncIterable<Buffer>, tail: () => Buffer): Promise<void> {
  await pipeline(Readable.from(chunks), createGzip(), createWriteStream(temporaryFile, { flags: 'wx', mode: 0o600 }))
  const handle = await open(temporaryFile, 'a')
  try {
    const { size } = await handle.stat()
    await handle.writeFile(Buffer.concat([gzipSync(tail()), footerOf(size)]))
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** For a file system without links. Half a copy must not stand under the name. */
async function copyDurably(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL)
    const handle = await open(to, 'r+')
    await handle.sync().finally(() => handle.close())
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw taken(to)
    await rm(to, { force: true })
    throw error
  }
}

const taken = (file: string) => new ConflictError(`${file} exists: name another file, or remove it.`)

/** A process that still runs may be writing. */
function removeLeftovers(file: string): void {
  const folder = path.dirname(file)
  const start = `.${path.basename(file)}.`
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(start) || !name.endsWith('.unfinished')) continue
    const pid = Number(name.slice(start.length).split('.')[0])
    if (pid === process.pid || !isRunning(pid)) rmSync(path.join(folder, name), { force: true })
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** A fault of the file system is the operator's to repair; any other is passed on. */
export function explainFileFault(file: string, error: unknown): unknown {
  const { code, syscall }: Partial<NodeJS.ErrnoException> = error instanceof Error ? error : {}
  if (error instanceof AppError || syscall === undefined) return error
  const why =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? 'the disk is full: make room, or name a file on another disk'
      : `${code} in ${syscall}: check the path and its permissions`
  return new AppError('INTERNAL_ERROR', `${file} cannot be written (${why}). Nothing was left behind.`, {
    cause: error
  })
}
