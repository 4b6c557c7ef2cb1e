import { createHash, type Hash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Db, Tx } from '../db/db.ts'
import type { Migrator } from '../db/migrate.ts'
import { ConflictError } from '../errors.ts'
import type { Keyring } from '../keyring.ts'
import type { Log } from '../log.ts'
import { asDamage, isHomeFile, parseHeader, tableOf, wholeOf } from './entries.ts'
import { type BackupHeader, type BackupManifest, fileLine, headerName, manifestName } from './format.ts'
import { prepareSchema } from './prepare-schema.ts'
import { findFaults, secretFaults } from './proof.ts'
import {
  addForeignKeys,
  dropForeignKeys,
  emptyTables,
  insertLines,
  liftTimeouts,
  listSecrets,
  listTables,
  restoreSequence,
  switchTriggers
} from './repository.ts'
import { readTar, type TarEntry } from './tar.ts'

export interface LoadTarget {
  tx: Tx
  kind: Db['kind']
  log: Log
  /** Makes the keyring of a process that would start now. */
  keyring(): Keyring
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
    // The queue's library keeps rows of its own in its tables; of all others the backup's rows are the whole truth.
    await emptyTables(
      tx,
      [...tables.keys()].filter(name => name.startsWith('public.'))
    )
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
      const table = tableOf(entry.name)
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
    faults.push(...secretFaults(secrets, target.keyring(), header.key_id))
    return { header, manifest, faults, secrets: secrets.length }
  }
  return { take, finish }
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

async function writeFileOf(file: string, chunks: AsyncIterable<Buffer>): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await pipeline(Readable.from(chunks), createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }))
}
