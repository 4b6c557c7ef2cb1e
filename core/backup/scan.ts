import { createHash, type Hash } from 'node:crypto'
import { ConflictError } from '../errors.ts'
import { asDamage, isHomeFile, parseHeader, tableOf, wholeOf } from './entries.ts'
import { type BackupHeader, type BackupManifest, fileLine, headerName, manifestName } from './format.ts'
import { sumFaults } from './proof.ts'
import { readTar, type TarEntry } from './tar.ts'

/**
 * Reads a backup to its end without a database: what is damaged or missing is known before anything else is touched.
 * @throws ConflictError naming every difference from its manifest.
 */
export async function scanBackup(chunks: AsyncIterable<Buffer>, signal: AbortSignal): Promise<BackupHeader> {
  const scan = createScan()
  try {
    for await (const entry of readTar(chunks)) {
      signal.throwIfAborted()
      await scan.take(entry)
    }
  } catch (error) {
    throw asDamage(error)
  }
  return scan.finish()
}

function createScan() {
  let header: BackupHeader | undefined
  let manifest: BackupManifest | undefined
  const tables = new Map<string, { rows: number; hash: Hash }>()
  const files = { count: 0, bytes: 0, hash: createHash('sha256') }

  async function takeRows(entry: TarEntry, name: string): Promise<void> {
    const table = tables.get(name)
    if (table === undefined) throw new Error(`it has rows of ${name}, which its header does not name`)
    const bytes = await wholeOf(entry)
    table.hash.update(bytes)
    for (const byte of bytes) if (byte === 0x0a) table.rows += 1
  }

  async function takeFile({ name, size, body }: TarEntry): Promise<void> {
    const content = createHash('sha256')
    for await (const chunk of body) content.update(chunk)
    files.count += 1
    files.bytes += size
    files.hash.update(fileLine(name, size, content.digest('hex')))
  }

  async function take(entry: TarEntry): Promise<void> {
    const { name } = entry
    const table = tableOf(name)
    if (header === undefined) {
      if (name !== headerName) throw new Error(`it begins with ${JSON.stringify(name)}, not with ${headerName}`)
      header = parseHeader(await wholeOf(entry))
      for (const each of header.tables) tables.set(each.name, { rows: 0, hash: createHash('sha256') })
    } else if (manifest !== undefined) throw new Error(`${JSON.stringify(name)} follows ${manifestName}`)
    else if (name === manifestName) manifest = JSON.parse((await wholeOf(entry)).toString()) as BackupManifest
    else if (table !== undefined) await takeRows(entry, table)
    else if (isHomeFile(name)) await takeFile(entry)
    else throw new Error(`it has an entry named ${JSON.stringify(name.slice(0, 200))}`)
  }

  function finish(): BackupHeader {
    if (header === undefined || manifest === undefined)
      throw new ConflictError('The backup is not whole: its manifest, which comes last, is missing.')
    const inFile = {
      tables: Object.fromEntries(
        [...tables].map(([name, { rows, hash }]) => [name, { rows, sha256: hash.digest('hex') }])
      ),
      files: { count: files.count, bytes: files.bytes, sha256: files.hash.digest('hex') }
    }
    const faults = sumFaults(header, manifest, inFile)
    if (faults.length > 0) throw new ConflictError(`The backup is damaged: ${faults.join(' ')}`)
    return header
  }
  return { take, finish }
}
