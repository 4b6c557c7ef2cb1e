import { createHash } from 'node:crypto'
import { open, opendir } from 'node:fs/promises'
import path from 'node:path'
import type { Db, Queryable, Tx } from '../../core/contract/database.ts'
import { ConflictError } from '../../core/contract/errors.ts'
import type { Keyring } from '../../core/keyring.ts'
import { listSecrets } from '../../core/settings/repository.ts'
import { hasTable } from '../database/repository.ts'
import { keyIdOf } from './compare.ts'
import {
  type BackupHeader,
  type BackupManifest,
  fileLine,
  formatVersion,
  headerName,
  homeFolders,
  manifestName,
  rowQueries,
  type TableSum,
  tableNamePattern
} from './format.ts'
import { type AppliedRow, listAppliedRows } from './repository/installation.ts'
import { eachLine, lineQuery } from './repository/rows.ts'
import { freezeTables } from './repository/schema-changes.ts'
import { type BackupTable, beginSnapshot, listSequences, listTables, serverName } from './repository/tables.ts'
import { tarEnd, tarHeader, tarPadding } from './tar.ts'

export interface BackupSource {
  db: Db
  home: string
  keyring: Keyring
  version: string
  now: () => Date
  signal: AbortSignal
  /** False for the database alone. */
  withFiles: boolean
  /** Keeps others from writing to the database meanwhile. */
  isFrozen?: boolean
  /** Called with how many rows and files are done. */
  onProgress(done: number): void
}

/** What a backup holds. */
interface BackupContents {
  header: BackupHeader
  manifest: BackupManifest
}

const tableName = new RegExp(tableNamePattern)

/** Bytes of rows gathered for one piece of a table. */
const pieceBytes = 1024 * 1024

/** Takes the bytes of a backup; `tail`, its manifest and end, may be asked for once the rest was read. */
type ChunkWriter = (chunks: AsyncIterable<Buffer>, tail: () => Buffer) => Promise<void>

/**
 * Hands the bytes of a backup to `write`, not compressed: the database as it is at one moment, and the home's files.
 * @throws ConflictError for a database without galley's tables.
 */
export async function createBackup(source: BackupSource, write: ChunkWriter): Promise<BackupContents> {
  const frozen = source.isFrozen ? (await listBackedUpTables(source.db)).map(({ name }) => name) : []
  return source.db.transaction(async tx => {
    await beginSnapshot(tx)
    if (frozen.length > 0) await freezeTables(tx, frozen)
    const migrations = await listAppliedRows(tx)
    if (migrations.length === 0)
      throw new ConflictError('The database holds no installation yet: run "galley setup", or "galley migrate up".')
    const header = await readHeader(tx, source, migrations)
    const manifest: BackupManifest = { tables: {}, files: { count: 0, bytes: 0, sha256: '' } }
    const tail = () => Buffer.concat([wholeEntry(manifestName, jsonOf(manifest)), tarEnd()])
    await write(archive(tx, source, header, manifest), tail)
    return { header, manifest }
  })
}

async function readHeader(
  tx: Tx,
  { keyring, version, now }: BackupSource,
  migrations: AppliedRow[]
): Promise<BackupHeader> {
  return {
    format: formatVersion,
    created_at: now().toISOString(),
    galley: version,
    database: await serverName(tx),
    key_id: keyIdOf(keyring, await listSecrets(tx)),
    migrations,
    tables: await listBackedUpTables(tx),
    sequences: await listSequences(tx)
  }
}

/**
 * The tables that a backup has. Those of the operator's own are among them: the database does not tell them from galley's.
 * @throws ConflictError for a name that a file cannot have
 */
async function listBackedUpTables(db: Queryable): Promise<BackupTable[]> {
  const queue = (await hasTable(db, 'jobs.job')) ? await listTables(db, 'jobs') : []
  const own = (await listTables(db, 'public')).filter(({ name }) => name !== 'public.schema_migrations')
  const unnamable = own.find(({ name }) => !tableName.test(name))
  if (unnamable !== undefined)
    throw new ConflictError(
      `The table ${JSON.stringify(unnamable.name)} cannot be backed up: a backup takes names of ASCII letters, digits, "_" and "-". Rename it, or move it to a schema of its own.`
    )
  // The queue's library makes its own tables; of the rows, these are not its own.
  return [...own, ...['jobs.queue', 'jobs.job'].flatMap(name => queue.filter(table => table.name === name))]
}

async function* archive(
  tx: Tx,
  source: BackupSource,
  header: BackupHeader,
  manifest: BackupManifest
): AsyncGenerator<Buffer> {
  yield wholeEntry(headerName, jsonOf(header))
  let done = 0
  const advance = (count: number) => {
    done += count
    source.onProgress(done)
  }
  for (const table of header.tables) {
    const sum = { rows: 0, sha256: '' }
    manifest.tables[table.name] = sum
    yield* tableEntries(tx, table, sum, { signal: source.signal, advance })
  }
  if (source.withFiles) yield* fileEntries(source, manifest.files, advance)
  else manifest.files.sha256 = createHash('sha256').digest('hex')
}

const jsonOf = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)

const wholeEntry = (name: string, bytes: Buffer): Buffer =>
  Buffer.concat([tarHeader(name, bytes.length), bytes, tarPadding(bytes.length)])

async function* tableEntries(
  tx: Tx,
  table: BackupHeader['tables'][number],
  sum: TableSum,
  { signal, advance }: { signal: AbortSignal; advance(count: number): void }
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let pieces = 0
  let piece = ''
  const entry = () => wholeEntry(`tables/${table.name}/${String(++pieces).padStart(6, '0')}.jsonl`, Buffer.from(piece))
  for await (const lines of eachLine(tx, lineQuery(table, rowQueries[table.name] ?? {}))) {
    signal.throwIfAborted()
    const text = `${lines.join('\n')}\n`
    hash.update(text)
    sum.rows += lines.length
    advance(lines.length)
    piece += text
    if (piece.length < pieceBytes) continue
    yield entry()
    piece = ''
  }
  if (piece !== '') yield entry()
  sum.sha256 = hash.digest('hex')
}

async function* fileEntries(
  { home, signal }: BackupSource,
  sum: BackupManifest['files'],
  advance: (count: number) => void
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const name of homeFiles(home)) {
    signal.throwIfAborted()
    const handle = await open(path.join(home, name), 'r')
    try {
      const { size, mtime } = await handle.stat()
      yield tarHeader(name, size, mtime)
      const content = createHash('sha256')
      let read = 0
      // A file that grows is taken as long as it was: its header has been written.
      for await (const chunk of handle.createReadStream({ autoClose: false, end: Math.max(0, size - 1) })) {
        // A film takes longer to read than an interrupted command may take to clean up.
        signal.throwIfAborted()
        const bytes: Buffer = chunk.subarray(0, size - read)
        read += bytes.length
        content.update(bytes)
        yield bytes
      }
      if (read < size) throw new ConflictError(`${name} became shorter while it was read: run the backup again.`)
      yield tarPadding(size)
      hash.update(fileLine(name, size, content.digest('hex')))
      sum.count += 1
      sum.bytes += size
      advance(1)
    } finally {
      await handle.close()
    }
  }
  sum.sha256 = hash.digest('hex')
}

/** The files worth keeping, as paths in the home. Links and unfinished files (hidden ones) are left out. */
export async function* homeFiles(home: string): AsyncGenerator<string> {
  for (const folder of homeFolders) yield* filesIn(home, folder)
}

async function* filesIn(home: string, folder: string): AsyncGenerator<string> {
  const entries = await opendir(path.join(home, folder)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (entries === null) return
  for await (const entry of entries) {
    const name = `${folder}/${entry.name}`
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory()) yield* filesIn(home, name)
    else if (entry.isFile()) yield name
  }
}
