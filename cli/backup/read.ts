import { createHash, type Hash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ConflictError } from '../../core/contract/errors.ts'
import { refuseFullDisk } from './disk-space.ts'
import { asDamage, isHomeFile, parseHeader, parseManifest, pieceOf, readDescription } from './entries.ts'
import { type BackupHeader, type BackupManifest, fileLine, headerName, manifestName } from './format.ts'
import { sumFaults } from './proof.ts'
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

export interface ReadOptions {
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
      yield* reading.take(entry)
    }
    yield reading.finish()
  } catch (error) {
    throw asDamage(error)
  }
}

interface ReadTable {
  columns: number
  hash: Hash
  rows: number
  pieces: number
}

function createReading({ files: folder, maxRowBytes, signal }: ReadOptions) {
  let header: BackupHeader | undefined
  let manifest: BackupManifest | undefined
  let current = ''
  let rowBytes = 0
  const tables = new Map<string, ReadTable>()
  const names = new Set<string>()
  const files = { count: 0, bytes: 0, hash: createHash('sha256') }

  async function begin(entry: TarEntry): Promise<BackupHeader> {
    if (entry.name !== headerName) throw new Error(`it begins with ${quoted(entry.name)}, not with ${headerName}`)
    const read = parseHeader(await readDescription(entry))
    for (const { name, columns } of read.tables)
      tables.set(name, { columns: columns.length, hash: createHash('sha256'), rows: 0, pieces: 0 })
    return read
  }

  async function* takeRows(entry: TarEntry, name: string, piece: number): AsyncGenerator<Part> {
    const table = tables.get(name)
    if (table === undefined) throw new Error(`it has rows of ${name}, which its header does not name`)
    // Pieces of a table follow each other and are numbered: none can be there twice.
    if (piece !== table.pieces + 1 || (current !== name && piece !== 1))
      throw new Error(`${entry.name} is not the piece that follows`)
    current = name
    table.pieces = piece
    rowBytes += entry.size
    const rows = readRows(entry.body, {
      columns: table.columns,
      maxRowBytes,
      onBytes: bytes => table.hash.update(bytes)
    })
    for await (const { count, json } of rows) {
      signal.throwIfAborted()
      table.rows += count
      yield { kind: 'rows', table: name, count, json }
    }
  }

  async function takeFile({ name, size, body }: TarEntry): Promise<Part> {
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
    if (folder === null) for await (const _ of hashed());
    else {
      await refuseFullDisk(folder, size)
      await writeFileOf(path.join(folder, name), hashed())
    }
    files.count += 1
    files.bytes += size
    files.hash.update(fileLine(name, size, content.digest('hex')))
    return { kind: 'file' }
  }

  async function* take(entry: TarEntry): AsyncGenerator<Part> {
    const { name } = entry
    const piece = pieceOf(name)
    if (header === undefined) {
      header = await begin(entry)
      yield { kind: 'header', header }
    } else if (manifest !== undefined) throw new Error(`${quoted(name)} follows ${manifestName}`)
    else if (name === manifestName) manifest = parseManifest(await readDescription(entry))
    else if (piece !== undefined) yield* takeRows(entry, piece.table, piece.piece)
    else if (isHomeFile(name)) yield await takeFile(entry)
    else throw new Error(`it has an entry named ${quoted(name)}`)
  }

  function finish(): Part {
    if (header === undefined || manifest === undefined)
      throw new ConflictError('The backup is not whole: its manifest, which comes last, is missing.')
    const inFile = {
      tables: Object.fromEntries(
        [...tables].map(([name, { rows, hash }]) => [name, { rows, sha256: hash.digest('hex') }])
      ),
      files: { count: files.count, bytes: files.bytes, sha256: files.hash.digest('hex') }
    }
    const faults = sumFaults(header, manifest, inFile)
    if (faults.length > 0) throw new ConflictError(`The backup is damaged: ${faults.slice(0, maxFaults).join(' ')}`)
    return { kind: 'end', manifest, row_bytes: rowBytes }
  }
  return { take, finish }
}

/** A file may have a fault in each of its tables. */
const maxFaults = 20

const quoted = (name: string): string => JSON.stringify(name.slice(0, 200))

async function writeFileOf(file: string, chunks: AsyncIterable<Buffer>): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await pipeline(Readable.from(chunks), createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }))
}
