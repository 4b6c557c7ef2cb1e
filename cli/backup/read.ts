import { createHash, type Hash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ConflictError } from '../../core/contract/errors.ts'
import { compareWithFile } from './compare.ts'
import { refuseFullDisk } from './disk-space.ts'
import { isHomeFile, parseHeader, parseManifest, pieceOf, readDescription, toDamageError } from './entries.ts'
import { type BackupHeader, type BackupManifest, fileLine, headerName, manifestName } from './format.ts'
import { readRows } from './read-rows.ts'
import { readTar, type TarEntry } from './tar.ts'

/** What reading a backup yields, in this order; nothing of it is unbounded or unchecked. */
export type Part =
  | { kind: 'header'; header: BackupHeader }
  /** `json`: a list of rows, each a list of texts and nulls, one for each column the header names. */
  | { kind: 'rows'; table: string; count: number; json: string }
  | { kind: 'file' }
  /** Everything was read and is what the manifest promises. `row_bytes`: of all rows as they are in the file. */
  | { kind: 'end'; manifest: BackupManifest; row_bytes: number }

interface ReadOptions {
  /** Folder the files are put in; null: they are read and thrown away. */
  files: string | null
  /** Longest row, in bytes. */
  maxRowBytes: number
  signal: AbortSignal
}

/**
 * Reads a backup: what it promises is compared with what it holds by the time the last part is yielded.
 * @throws ConflictError for a file that is damaged, not whole, or of a newer version.
 */
export async function* readBackup(chunks: AsyncIterable<Buffer>, options: ReadOptions): AsyncGenerator<Part> {
  const reading = createReading(options)
  try {
    for await (const entry of readTar(chunks)) {
      options.signal.throwIfAborted()
      yield* takeEntry(reading, entry)
    }
    yield finish(reading)
  } catch (error) {
    throw toDamageError(error)
  }
}

interface ReadTable {
  columns: number
  hash: Hash
  rows: number
  pieces: number
}

/** What was read so far. */
interface Reading extends ReadOptions {
  header: BackupHeader | undefined
  manifest: BackupManifest | undefined
  /** The table whose rows came last. */
  table: string
  rowBytes: number
  tables: Map<string, ReadTable>
  names: Set<string>
  sum: { count: number; bytes: number; hash: Hash }
}

const createReading = (options: ReadOptions): Reading => ({
  ...options,
  header: undefined,
  manifest: undefined,
  table: '',
  rowBytes: 0,
  tables: new Map(),
  names: new Set(),
  sum: { count: 0, bytes: 0, hash: createHash('sha256') }
})

async function* takeEntry(reading: Reading, entry: TarEntry): AsyncGenerator<Part> {
  const { name } = entry
  const piece = pieceOf(name)
  if (reading.header === undefined) yield { kind: 'header', header: await takeHeader(reading, entry) }
  else if (reading.manifest !== undefined) throw new Error(`${quoted(name)} follows ${manifestName}`)
  else if (name === manifestName) reading.manifest = parseManifest(await readDescription(entry))
  else if (piece !== undefined) yield* takeRows(reading, entry, piece)
  else if (isHomeFile(name)) yield await takeFile(reading, entry)
  else throw new Error(`it has an entry named ${quoted(name)}`)
}

async function takeHeader(reading: Reading, entry: TarEntry): Promise<BackupHeader> {
  if (entry.name !== headerName) throw new Error(`it begins with ${quoted(entry.name)}, not with ${headerName}`)
  const header = parseHeader(await readDescription(entry))
  for (const { name, columns } of header.tables)
    reading.tables.set(name, { columns: columns.length, hash: createHash('sha256'), rows: 0, pieces: 0 })
  reading.header = header
  return header
}

async function* takeRows(
  reading: Reading,
  { name: entry, size, body }: TarEntry,
  { table: name, piece }: { table: string; piece: number }
): AsyncGenerator<Part> {
  const { maxRowBytes, signal } = reading
  const table = reading.tables.get(name)
  if (table === undefined) throw new Error(`it has rows of ${name}, which its header does not name`)
  // Pieces of a table follow each other and are numbered: none can be there twice.
  if (piece !== table.pieces + 1 || (reading.table !== name && piece !== 1))
    throw new Error(`${entry} is not the piece that follows`)
  reading.table = name
  table.pieces = piece
  reading.rowBytes += size
  const onBytes = (bytes: Buffer) => table.hash.update(bytes)
  for await (const { count, json } of readRows(body, { columns: table.columns, maxRowBytes, onBytes })) {
    signal.throwIfAborted()
    table.rows += count
    yield { kind: 'rows', table: name, count, json }
  }
}

async function takeFile({ names, files, sum, signal }: Reading, { name, size, body }: TarEntry): Promise<Part> {
  if (names.has(name)) throw new Error(`it has the file ${quoted(name)} twice`)
  names.add(name)
  const content = createHash('sha256')
  const hashed = async function* () {
    for await (const chunk of body) {
      signal.throwIfAborted()
      content.update(chunk)
      yield chunk
    }
  }
  if (files === null) for await (const _ of hashed());
  else {
    await refuseFullDisk(files, size)
    await writeFileOf(path.join(files, name), hashed())
  }
  sum.count += 1
  sum.bytes += size
  sum.hash.update(fileLine(name, size, content.digest('hex')))
  return { kind: 'file' }
}

/** @throws ConflictError when what was read is not what the manifest promises. */
function finish({ header, manifest, tables, sum: { count, bytes, hash }, rowBytes }: Reading): Part {
  if (header === undefined || manifest === undefined)
    throw new ConflictError('The backup is not whole: its manifest, which comes last, is missing.')
  const sums = [...tables].map(
    ([name, table]) => [name, { rows: table.rows, sha256: table.hash.digest('hex') }] as const
  )
  const inFile = { tables: Object.fromEntries(sums), files: { count, bytes, sha256: hash.digest('hex') } }
  const faults = compareWithFile(header, manifest, inFile)
  if (faults.length > 0) throw new ConflictError(`The backup is damaged: ${faults.slice(0, maxFaults).join(' ')}`)
  return { kind: 'end', manifest, row_bytes: rowBytes }
}

/** A file may have a fault in each of its tables. */
const maxFaults = 20

const quoted = (name: string): string => JSON.stringify(name.slice(0, 200))

async function writeFileOf(file: string, chunks: AsyncIterable<Buffer>): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await pipeline(Readable.from(chunks), createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }))
}
