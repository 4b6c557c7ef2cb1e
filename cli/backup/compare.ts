import { createHash } from 'node:crypto'
import type { Tx } from '../../core/contract/database.ts'
import type { Keyring } from '../../core/keyring.ts'
import type { Secret } from '../../core/settings/repository.ts'
import { keyId } from '../keys/current-key.ts'
import { undecryptable } from '../keys/decryption.ts'
import { type BackupHeader, type BackupManifest, rowQueries, type TableSum } from './format.ts'
import type { LoadedTable } from './load-target.ts'
import { eachLine, lineQuery } from './repository/rows.ts'

/** Compares the manifest with what the file holds. Returns what differs, in sentences. */
export function compareWithFile(header: BackupHeader, manifest: BackupManifest, inFile: BackupManifest): string[] {
  const faults = header.tables.flatMap(({ name }) => {
    const promised = manifest.tables[name]
    const read = inFile.tables[name]
    if (promised === undefined || read === undefined) return [`The manifest does not name the table ${name}.`]
    if (promised.rows !== read.rows)
      return [`${name} has ${read.rows} rows in the file, and the manifest says ${promised.rows}.`]
    return promised.sha256 === read.sha256
      ? []
      : [`The rows of ${name} in the file are not those of the manifest (their checksums differ).`]
  })
  const { files } = manifest
  if (files.count !== inFile.files.count || files.sha256 !== inFile.files.sha256)
    faults.push(`The file holds ${inFile.files.count} media files that are not the ${files.count} of the manifest.`)
  return faults
}

/** Compares the manifest with what the database holds now. */
export async function compareWithDatabase(
  tx: Tx,
  tables: readonly LoadedTable[],
  manifest: BackupManifest
): Promise<string[]> {
  const faults: string[] = []
  for (const table of tables) {
    const { name, isExact } = table
    const promised = manifest.tables[name]
    const loaded = await sumOf(tx, table)
    if (loaded.rows !== promised?.rows)
      faults.push(`${name} has ${loaded.rows} rows once restored, and had ${promised?.rows}.`)
    else if (loaded.sha256 !== promised.sha256 && isExact)
      faults.push(`The rows of ${name} once restored are not those that were saved (their checksums differ).`)
  }
  return faults
}

async function sumOf(tx: Tx, table: LoadedTable): Promise<TableSum> {
  const hash = createHash('sha256')
  let rows = 0
  for await (const lines of eachLine(tx, lineQuery(table, rowQueries[table.name] ?? {}))) {
    rows += lines.length
    hash.update(`${lines.join('\n')}\n`)
  }
  return { rows, sha256: hash.digest('hex') }
}

/** Names the key that the stored secrets are encrypted with; it may have been rotated since the keyring was made. */
export function keyIdOf(keyring: Keyring, stored: readonly Secret[]): string {
  undecryptable(stored, keyring)
  return keyId(keyring.masterKey())
}

/** Decrypts every secret with the installation's key. `key_id`: the key they were saved with. */
export function secretFaults(stored: readonly Secret[], keyring: Keyring, key_id: string): string[] {
  const broken = undecryptable(stored, keyring)
  if (broken.length === 0) return []
  const here = keyId(keyring.masterKey())
  return here === key_id
    ? [`The secrets ${broken.join(', ')} do not decrypt, although the key is the right one: they were damaged before.`]
    : [
        `The secrets ${broken.join(', ')} need the key ${key_id}, and POINDEXTER_SECRET_KEY here is the key ${here}: use bootstrap.env of the installation that made the backup.`
      ]
}
