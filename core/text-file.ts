import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { InputError } from './errors.ts'

export interface TextFileLimits {
  /** Folder a relative path starts at: the caller's, who may be another process. */
  cwd: string
  mostBytes: number
  /** Name of the argument, for errors. */
  field: string
  /** Where the limit comes from, such as a setting; for the error. */
  limitName?: string
}

/**
 * The text of a regular file, read in bounds: a device without an end must not fill the memory.
 * @throws InputError when it is missing, too large or not UTF-8 text
 */
export async function readTextFile(path: string, limits: TextFileLimits): Promise<string> {
  const refused = (why: string) => new InputError({ [limits.field]: why }, `${path} ${why}.`)
  const bytes = await readBounded(resolve(limits.cwd, path), limits, refused)
  if (bytes.includes(0)) throw refused('is a binary file: only UTF-8 text is taken')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refused('is not UTF-8 text: convert it first')
  }
}

type Refuse = (why: string) => InputError

async function readBounded(path: string, { mostBytes, limitName }: TextFileLimits, refused: Refuse): Promise<Buffer> {
  const file = await openFile(path, refused)
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw refused('is not a regular file')
    const tooLarge = (bytes: number) =>
      refused(`has ${bytes} bytes; at most ${mostBytes} are taken${limitName === undefined ? '' : ` (${limitName})`}`)
    if (stats.size > mostBytes) throw tooLarge(stats.size)
    // A file may grow while it is read, and one in /proc has size 0.
    const parts: Buffer[] = []
    let bytes = 0
    for await (const part of file.createReadStream({ autoClose: false, end: mostBytes })) {
      parts.push(part as Buffer)
      bytes += (part as Buffer).length
    }
    if (bytes > mostBytes) throw tooLarge(bytes)
    return Buffer.concat(parts)
  } finally {
    await file.close()
  }
}

async function openFile(path: string, refused: Refuse): Promise<FileHandle> {
  try {
    // Not blocking: opening a named pipe would otherwise wait for a writer.
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown fault'
    throw refused(code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`)
  }
}
