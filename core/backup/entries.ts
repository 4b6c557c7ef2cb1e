import { AppError, ConflictError } from '../errors.ts'
import { type BackupHeader, formatVersion, homeFolders } from './format.ts'
import type { TarEntry } from './tar.ts'

/** Largest entry that is held as a whole. Pieces of a table are about 1 MB; one row may be longer. */
const largestEntry = 512 * 1024 * 1024

/** The table whose rows an entry holds; undefined when it is no such entry. */
export const tableOf = (name: string): string | undefined => /^tables\/([\w.-]+)\/\d+\.jsonl$/.exec(name)?.[1]

/** A path inside one of the home's folders, and nowhere else. */
export function isHomeFile(name: string): boolean {
  const parts = name.split('/')
  const isPlain = parts.every(part => part !== '' && part !== '.' && part !== '..' && !part.includes('\0'))
  return isPlain && parts.length > 1 && homeFolders.some(folder => folder === parts[0])
}

export async function wholeOf({ name, size, body }: TarEntry): Promise<Buffer> {
  if (size > largestEntry) throw new Error(`${name} has ${size} bytes`)
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** @throws ConflictError for a format that this version does not read. */
export function parseHeader(bytes: Buffer): BackupHeader {
  const header = JSON.parse(bytes.toString()) as BackupHeader
  if (!(header.format <= formatVersion))
    throw new ConflictError(
      `The backup has the format ${header.format}, this version reads ${formatVersion}: use galley ${header.galley}.`
    )
  return header
}

/** A fault of the archive is told as one; of the database or the disk, as what it is. */
export function asDamage(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError || error.name === 'AbortError') return error
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (/^Z_/.test(code)) return new ConflictError(`The backup is damaged: it does not unpack (${error.message}).`)
  // SQLSTATE classes 22 and 23: a value, or a row, that the table does not take.
  if (/^2[23]\w{3}$/.test(code))
    return new ConflictError(`The backup is damaged: a row is not accepted (${error.message}).`)
  if (code === '' && syscall === undefined) return new ConflictError(`The backup is damaged: ${error.message}.`)
  return error
}
