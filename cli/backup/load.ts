import type { Tx } from '../../core/contract/database.ts'
import { listSecrets } from '../../core/settings/repository.ts'
import { liftTimeLimits } from '../database/repository.ts'
import { compareWithDatabase, secretFaults } from './compare.ts'
import { toDamageError } from './entries.ts'
import type { BackupHeader, BackupManifest } from './format.ts'
import type { Loaded, LoadedTable, LoadTarget } from './load-target.ts'
import { prepareSchema } from './prepare-schema.ts'
import type { Part } from './read.ts'
import { analyzeTables, insertRows } from './repository/rows.ts'
import { addForeignKeys, dropForeignKeys, emptyTables, switchTriggers } from './repository/schema-changes.ts'
import { type BackupTable, listSequences, listTables, restoreSequence } from './repository/tables.ts'

/**
 * Loads a backup into a database in the caller's transaction, in place of everything there, and verifies it: counts, sums
 * and the decryption of every secret. Returns the faults that can be counted; the caller decides what they mean.
 * @throws ConflictError for what this version or its tables do not take.
 */
export async function loadBackup(parts: AsyncIterable<Part>, target: LoadTarget): Promise<Loaded> {
  await liftTimeLimits(target.tx)
  let done = 0
  let load: Load | undefined
  try {
    for await (const part of parts) {
      target.signal.throwIfAborted()
      if (part.kind === 'header') load = await beginLoad(target, part.header)
      else if (load === undefined) throw new TypeError('The parts of a backup begin with its header.')
      else if (part.kind === 'end') return await finishLoad(target, load, part.manifest)
      else {
        if (part.kind === 'rows' && !load.left_out.includes(part.table))
          await insertRows(target.tx, tableOf(load, part.table), part.json)
        done += part.kind === 'rows' ? part.count : 1
        target.onProgress(done)
      }
    }
  } catch (error) {
    throw toDamageError(error)
  }
  throw new TypeError('The parts of a backup end with its manifest.')
}

interface Load {
  header: BackupHeader
  tables: ReadonlyMap<string, LoadedTable>
  left_out: string[]
  keys: Awaited<ReturnType<typeof dropForeignKeys>>
}

function tableOf({ tables }: Load, name: string): LoadedTable {
  const table = tables.get(name)
  if (table === undefined) throw new TypeError(`The rows of ${name} come without a header.`)
  return table
}

async function beginLoad(target: LoadTarget, header: BackupHeader): Promise<Load> {
  const { tx } = target
  await prepareSchema(target, header)
  const keys = await dropForeignKeys(tx)
  await switchTriggers(tx, false)
  const present = [...(await listTables(tx, 'public')), ...(await listTables(tx, 'jobs'))]
  const left_out = namesNotHere(header.tables, present)
  const named = header.tables.filter(({ name }) => !left_out.includes(name))
  const lacking = namesNotHere(present, [...header.tables, { name: 'public.schema_migrations' }])
  if (lacking.length > 0) throw new Error(`it lacks ${lacking.join(', ')}, which its migrations make`)
  const tables = new Map(named.map(table => [table.name, matchTable(table, present)]))
  // The queue's library keeps rows of its own in its tables; of all others the backup's rows are the whole truth.
  await emptyTables(
    tx,
    [...tables.keys()].filter(name => name.startsWith('public.'))
  )
  return { header, tables, left_out, keys }
}

/** Those of `given` in the schema of an installation that are not present. In a file these are the operator's own: no migration makes them. */
function namesNotHere(given: readonly { name: string }[], present: readonly { name: string }[]): string[] {
  const here = new Set(present.map(({ name }) => name))
  return given.flatMap(({ name }) => (name.startsWith('public.') && !here.has(name) ? [name] : []))
}

/** Types, and what rows are ordered by, are those of the table here, whatever the file says. */
function matchTable({ name, columns: given }: BackupTable, present: readonly BackupTable[]): LoadedTable {
  const here = present.find(table => table.name === name)
  if (here === undefined) throw new Error(`it has the table ${name}, which its migrations do not make`)
  const columns = given.flatMap((column, index) => {
    const own = here.columns.find(each => each.name === column.name)
    return own === undefined ? [] : [{ name: own.name, type: own.type, index }]
  })
  const isExact = columns.length === given.length && columns.length === here.columns.length
  if (!isExact && name.startsWith('public.'))
    throw new Error(`the columns of its table ${name} are not those its migrations make`)
  return { name: here.name, key: here.key, columns, isExact }
}

async function finishLoad(target: LoadTarget, load: Load, manifest: BackupManifest): Promise<Loaded> {
  const { tx } = target
  const { header, keys, left_out } = load
  const leftOutSequences = await restoreSequences(tx, header)
  const faults = await compareWithDatabase(tx, [...load.tables.values()], manifest)
  if (faults.length === 0) {
    await addForeignKeys(tx, keys)
    await switchTriggers(tx, true)
  }
  await analyzeTables(tx, [...load.tables.keys()])
  const secrets = await listSecrets(tx)
  faults.push(...secretFaults(secrets, target.keyring(), header.key_id))
  return { header, manifest, faults, left_out: [...left_out, ...leftOutSequences], secrets: secrets.length }
}

/** @returns those of the operator's own, which are left out */
async function restoreSequences(tx: Tx, header: BackupHeader): Promise<string[]> {
  const present = await listSequences(tx)
  const here = new Set(present.map(({ name }) => name))
  const left_out = namesNotHere(header.sequences, present)
  for (const state of header.sequences) {
    if (left_out.includes(state.name)) continue
    if (!here.has(state.name)) throw new Error(`it has the sequence ${state.name}, which its migrations do not make`)
    await restoreSequence(tx, state)
  }
  return left_out
}
