import { createHash, type Hash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Db, Tx } from '../db/db.ts'
import type { Migrator, UpSummary } from '../db/migrate.ts'
import { idOf } from '../db/migration-files.ts'
import { AppError, ConflictError, UnavailableError } from '../errors.ts'
import { createJobs } from '../jobs.ts'
import type { Keyring } from '../keyring.ts'
import type { Log } from '../log.ts'
import { fileLine } from './create.ts'
import {
  type BackupHeader,
  type BackupManifest,
  formatVersion,
  headerName,
  homeFolders,
  manifestName
} from './format.ts'
import { findFaults, secretFaults } from './proof.ts'
import {
  addForeignKeys,
  dropEverything,
  dropForeignKeys,
  insertLines,
  liftTimeouts,
  listAppliedRows,
  listSecrets,
  listTables,
  restoreAppliedTime,
  restoreSequence,
  switchTriggers
} from './repository.ts'
import { readTar, type TarEntry } from './tar.ts'

export interface LoadTarget {
  tx: Tx
  kind: Db['kind']
  log: Log
  keyring: Keyring
  /** Folder the files are put in; null: they are read and thrown away. */
  files: string | null
  migratorOn(db: Db): Migrator
  signal: AbortSignal
  /** Told how many rows and files are done. */
  onProgress(done: number): void
}

/** What a load found; without faults, what was loaded is what was saved. */
export interface Loaded {
  header: BackupHeader
  manifest: BackupManifest
  faults: string[]
  secrets: number
}

/** Largest entry that is held as a whole. Pieces of a table are about 1 MB; one row may be longer. */
const largestEntry = 512 * 1024 * 1024
const insertBytes = 4 * 1024 * 1024

/**
 * Loads a backup into a database in the caller's transaction, in place of everything there, and proves it: counts, sums
 * and the decryption of every secret. Faults that can be counted are answered; the caller decides what they mean.
 * @throws ConflictError for a file that is damaged, not whole, or of a newer version.
 */
export async function loadBackup(chunks: AsyncIterable<Buffer>, target: LoadTarget): Promise<Loaded> {
  const { tx } = target
  await liftTimeouts(tx)
  const reading = createReading(target)
  try {
    for await (const entry of readTar(chunks)) {
      target.signal.throwIfAborted()
      await reading.take(entry)
    }
  } catch (error) {
    throw asDamage(error)
  }
  return reading.finish()
}

/** A fault of the archive is told as one; of the database or the disk, as what it is. */
function asDamage(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError || error.name === 'AbortError') return error
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (/^Z_/.test(code)) return new ConflictError(`The backup is damaged: it does not unpack (${error.message}).`)
  // SQLSTATE classes 22 and 23: a value, or a row, that the table does not take.
  if (/^2[23]\w{3}$/.test(code))
    return new ConflictError(`The backup is damaged: a row is not accepted (${error.message}).`)
  if (code === '' && syscall === undefined) return new ConflictError(`The backup is damaged: ${error.message}.`)
  return error
}

interface Reading {
  take(entry: TarEntry): Promise<void>
  finish(): Promise<Loaded>
}

type Stored = BackupHeader['tables'][number]['columns'][number] & { index: number }

function createReading(target: LoadTarget): Reading {
  const { tx } = target
  let header: BackupHeader | undefined
  let manifest: BackupManifest | undefined
  let keys: Awaited<ReturnType<typeof dropForeignKeys>> = []
  const tables = new Map<string, { columns: Stored[]; hash: Hash; rows: number; isExact: boolean }>()
  const files = { count: 0, bytes: 0, hash: createHash('sha256') }
  let done = 0
  const advance = (count: number) => {
    done += count
    target.onProgress(done)
  }

  async function begin(entry: TarEntry): Promise<BackupHeader> {
    if (entry.name !== headerName) throw new Error(`it begins with ${entry.name}, not with ${headerName}`)
    const read = parseHeader(await wholeOf(entry))
    await prepareSchema(target, read)
    keys = await dropForeignKeys(tx)
    await switchTriggers(tx, false)
    const present = [...(await listTables(tx, 'public')), ...(await listTables(tx, 'jobs'))]
    for (const table of read.tables) {
      const here = present.find(({ name }) => name === table.name)
      if (here === undefined) throw new Error(`it has the table ${table.name}, which its migrations do not make`)
      const columns = table.columns
        .map((column, index) => ({ ...column, index }))
        .filter(({ name }) => here.columns.some(column => column.name === name))
      const isExact = columns.length === table.columns.length && columns.length === here.columns.length
      tables.set(table.name, { columns, hash: createHash('sha256'), rows: 0, isExact })
    }
    return read
  }

  async function takeRows(entry: TarEntry, name: string): Promise<void> {
    const table = tables.get(name)
    if (table === undefined) throw new Error(`it has rows of ${name}, which its header does not name`)
    const bytes = await wholeOf(entry)
    table.hash.update(bytes)
    const lines = bytes.toString().split('\n').slice(0, -1)
    table.rows += lines.length
    for (const batch of batchesOf(lines)) {
      await insertLines(tx, { name }, table.columns, batch, name.startsWith('jobs.'))
      advance(batch.length)
    }
  }

  async function takeFile(entry: TarEntry): Promise<void> {
    const content = createHash('sha256')
    const hashed = async function* () {
      for await (const chunk of entry.body) {
        content.update(chunk)
        yield chunk
      }
    }
    if (target.files === null) for await (const _ of hashed());
    else await writeFileOf(path.join(target.files, entry.name), hashed())
    files.count += 1
    advance(1)
    files.bytes += entry.size
    files.hash.update(fileLine(entry.name, entry.size, content.digest('hex')))
  }

  async function take(entry: TarEntry): Promise<void> {
    if (header === undefined) header = await begin(entry)
    else if (manifest !== undefined) throw new Error(`${entry.name} follows ${manifestName}`)
    else if (entry.name === manifestName) manifest = JSON.parse((await wholeOf(entry)).toString()) as BackupManifest
    else {
      const [, table] = /^tables\/([\w.-]+)\/\d+\.jsonl$/.exec(entry.name) ?? []
      if (table !== undefined) await takeRows(entry, table)
      else if (isHomeFile(entry.name)) await takeFile(entry)
      else throw new Error(`it has an entry named ${JSON.stringify(entry.name.slice(0, 200))}`)
    }
  }

  async function finish(): Promise<Loaded> {
    if (header === undefined || manifest === undefined)
      throw new ConflictError('The backup is not whole: its manifest, which comes last, is missing.')
    for (const state of header.sequences) await restoreSequence(tx, state)
    const read = [...tables].map(([name, { rows, hash }]) => [name, { rows, sha256: hash.digest('hex') }] as const)
    const inFile = {
      tables: Object.fromEntries(read),
      files: { count: files.count, bytes: files.bytes, sha256: files.hash.digest('hex') }
    }
    const faults = await findFaults(tx, {
      header,
      manifest,
      inFile,
      isExact: name => tables.get(name)?.isExact ?? false
    })
    if (faults.length === 0) {
      await addForeignKeys(tx, keys).catch(error => {
        throw asDamage(error)
      })
      await switchTriggers(tx, true)
    }
    const secrets = await listSecrets(tx)
    faults.push(...secretFaults(secrets, target.keyring, header.key_id))
    return { header, manifest, faults, secrets: secrets.length }
  }
  return { take, finish }
}

function parseHeader(bytes: Buffer): BackupHeader {
  const header = JSON.parse(bytes.toString()) as BackupHeader
  if (!(header.format <= formatVersion))
    throw new ConflictError(
      `The backup has the format ${header.format}, this version reads ${formatVersion}: use galley ${header.galley}.`
    )
  return header
}

/** The tables as they were when the backup was made; later migrations follow the rows. */
async function prepareSchema(target: LoadTarget, header: BackupHeader): Promise<void> {
  const { tx, log } = target
  const db = within(target)
  await dropEverything(tx)
  const migrator = target.migratorOn(db)
  refuseUnknown(header, await migrator.status())
  // The last of each namespace; namespaces come in the order they were first applied.
  const last = new Map(header.migrations.map(({ namespace, name }) => [namespace, name]))
  for (const [plugin, to] of last) failOn(await migrator.up({ plugin, to }))
  const applied = new Map((await listAppliedRows(tx)).map(row => [idOf(row), row.checksum]))
  for (const migration of header.migrations) {
    if (applied.get(idOf(migration)) !== migration.checksum)
      throw new ConflictError(
        `The migration ${idOf(migration)} is not the one the backup was made with: restore its file.`
      )
    await restoreAppliedTime(tx, migration)
  }
  await createJobs({ db, log }).install()
}

function refuseUnknown(header: BackupHeader, known: readonly { namespace: string; name: string }[]): void {
  const ids = new Set(known.map(idOf))
  const missing = header.migrations.map(idOf).filter(id => !ids.has(id))
  if (missing.length === 0) return
  throw new ConflictError(
    `The backup was made with migrations that are not here (${missing.join(', ')}): use galley ${header.galley} or newer, with the same plugins.`
  )
}

function failOn({ failed: [failure] }: UpSummary): void {
  if (failure !== undefined) throw new ConflictError(`A migration failed: ${failure.message}`)
}

/** Migrations that the backup did not have yet. */
export async function migrateRest(target: LoadTarget): Promise<void> {
  failOn(await target.migratorOn(within(target)).up())
}

/** The transaction for what asks for a database: its own transactions are parts of this one. */
function within({ tx, kind }: LoadTarget): Db {
  const refuse = () => {
    throw new UnavailableError('Nothing listens inside a restore.')
  }
  return {
    kind,
    query: tx.query,
    script: tx.script,
    transaction: work => work(tx),
    listen: refuse,
    pool: () => ({ size: 1, idle: 0 }),
    close: async () => {}
  }
}

async function wholeOf({ name, size, body }: TarEntry): Promise<Buffer> {
  if (size > largestEntry) throw new Error(`${name} has ${size} bytes`)
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function* batchesOf(lines: readonly string[]): Generator<string[]> {
  let batch: string[] = []
  let size = 0
  for (const line of lines) {
    batch.push(line)
    size += line.length
    if (size < insertBytes && batch.length < 500) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}

/** A path inside one of the home's folders, and nowhere else. */
function isHomeFile(name: string): boolean {
  const parts = name.split('/')
  const isPlain = parts.every(part => part !== '' && part !== '.' && part !== '..' && !part.includes('\0'))
  return isPlain && parts.length > 1 && homeFolders.some(folder => folder === parts[0])
}

async function writeFileOf(file: string, chunks: AsyncIterable<Buffer>): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await pipeline(Readable.from(chunks), createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }))
}
