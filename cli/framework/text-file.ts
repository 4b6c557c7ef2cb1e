import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { TextLimits } from '../../core/contract/command.ts'
import { InputError } from '../../core/contract/errors.ts'
import { textFault } from '../../core/text-rules.ts'

interface TextFileLimits extends TextLimits {
  /** Folder a relative path starts at: the caller's, who may be another process. */
  cwd: string
}

/**
 * The text of a regular file, read in bounds: a device without an end must not fill the memory.
 * @throws InputError when it is missing, too large or not UTF-8 text
 */
export async function readTextFile(path: string, limits: TextFileLimits): Promise<string> {
  const refused = refusalOf(path, limits)
  return textOf(await readBounded(absolute(path, limits, refused), limits, refused), refused)
}

/**
 * The bytes of a regular file, read in bounds.
 * @throws InputError when it is missing or too large
 */
export async function readBinaryFile(path: string, limits: TextFileLimits): Promise<Buffer> {
  const refused = refusalOf(path, limits)
  return readBounded(absolute(path, limits, refused), limits, refused)
}

/**
 * The text of stdin, read no further than the limit.
 * @throws InputError as for a file
 */
export async function readTextStream(chunks: AsyncIterable<Uint8Array>, limits: TextLimits): Promise<string> {
  const refused = refusalOf('stdin', limits)
  return textOf(await collect(chunks, limits, refused), refused)
}

/** What such a path names is another thing in each process, and the running service may be the one that reads it. */
const ownOfProcess = /^\/(?:dev\/(?:fd|stdin|stdout|stderr)|proc\/(?:self|thread-self))(?:\/|$)/

function absolute(path: string, { cwd }: TextFileLimits, refused: Refuse): string {
  const found = resolve(cwd, path)
  if (!ownOfProcess.test(found)) return found
  throw refused('is open in one process only: name a file, or "-" for standard input where the command takes it')
}

type Refuse = (why: string) => InputError

const refusalOf =
  (name: string, { field }: TextLimits): Refuse =>
  why =>
    new InputError({ [field]: why }, `${name} ${why}.`)

function textOf(bytes: Buffer, refused: Refuse): string {
  if (bytes.includes(0)) throw refused('is a binary file: only UTF-8 text is taken')
  const text = decoded(bytes, refused)
  const fault = textFault(text)
  if (fault !== undefined) throw refused(fault)
  return text
}

function decoded(bytes: Buffer, refused: Refuse): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refused('is not UTF-8 text: convert it first')
  }
}

const tooLarge = (size: string, { maxBytes, limitName }: TextLimits): string =>
  `has ${size} bytes; at most ${maxBytes} are taken${limitName === undefined ? '' : ` (${limitName})`}`

async function readBounded(path: string, limits: TextLimits, refused: Refuse): Promise<Buffer> {
  const file = await openFile(path, refused)
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw refused('is not a regular file')
    if (stats.size > limits.maxBytes) throw refused(tooLarge(String(stats.size), limits))
    // A file may grow while it is read, and one in /proc has size 0.
    return await collect(file.createReadStream({ autoClose: false, end: limits.maxBytes }), limits, refused)
  } finally {
    await file.close()
  }
}

/** How much would still have come is not known: reading ends with the chunk that passes the limit. */
async function collect(chunks: AsyncIterable<Uint8Array>, limits: TextLimits, refused: Refuse): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of chunks) {
    bytes += part.length
    if (bytes > limits.maxBytes) throw refused(tooLarge(`more than ${limits.maxBytes}`, limits))
    parts.push(part)
  }
  return Buffer.concat(parts)
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
