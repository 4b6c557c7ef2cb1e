import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { InputError } from '#core'

const refused = (path: string, why: string) => new InputError({ file: why }, `${path} ${why}.`)

/** The text of a file; a relative path starts at `cwd`. @throws InputError when it is missing, too large or not UTF-8 text. */
export async function readTextFile(path: string, cwd: string, mostBytes: number): Promise<string> {
  const bytes = await readBounded(path, resolve(cwd, path), mostBytes)
  if (bytes.includes(0)) throw refused(path, 'is a binary file: only UTF-8 text can be stored')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refused(path, 'is not UTF-8 text: convert it first')
  }
}

async function readBounded(path: string, absolute: string, mostBytes: number): Promise<Buffer> {
  const file = await openFile(path, absolute)
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw refused(path, 'is not a file')
    const tooLarge = (bytes: number) =>
      refused(path, `has ${bytes} bytes; at most ${mostBytes} are stored (setting memory_max_bytes)`)
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

async function openFile(path: string, absolute: string) {
  try {
    // Not blocking: opening a named pipe would otherwise wait for a writer.
    return await open(absolute, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown fault'
    throw refused(path, code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`)
  }
}
