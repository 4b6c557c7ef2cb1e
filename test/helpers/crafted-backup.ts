import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { BackupHeader, BackupManifest } from '../../cli/backup/format.ts'
import { readCompressed } from '../../cli/backup/open-file.ts'
import { type Part, readBackup } from '../../cli/backup/read.ts'
import { tarEnd, tarHeader, tarPadding } from '../../cli/backup/tar.ts'

/** An entry of an archive: a name with its bytes, or bytes as they are. */
export type CraftedEntry = readonly [name: string, body: Buffer | string] | Buffer

export const entryOf = (name: string, body: Buffer | string): Buffer => Buffer.concat(partsOf([name, body]))

/** Not joined: some have hundreds of megabytes. */
function partsOf(entry: CraftedEntry): Buffer[] {
  if (Buffer.isBuffer(entry)) return [entry]
  const [name, body] = entry
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body)
  return [tarHeader(name, bytes.length), bytes, tarPadding(bytes.length)]
}

/** A header of 512 bytes with another type, name or size, its checksum right. */
export function craftedHeader(change: (header: Buffer) => void, name = 'media/x', size = 0): Buffer {
  const header = Buffer.from(tarHeader(name, size))
  change(header)
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** Writes entries as a backup is written, small however large they are. */
export function craft(file: string, entries: readonly CraftedEntry[], end = tarEnd()): string {
  writeFileSync(file, gzipSync(Buffer.concat([...entries.flatMap(partsOf), end]), { level: 1 }))
  return file
}

/** Reads a backup as every command does before it does anything else. @throws ConflictError for one that is damaged */
export async function readParts(file: string, maxBytes?: number): Promise<Part[]> {
  const { signal } = new AbortController()
  const options = { files: null, maxRowBytes: 1024 ** 2, signal }
  const parts: Part[] = []
  for await (const part of readBackup(readCompressed(file, maxBytes), options)) parts.push(part)
  return parts
}

export const sha256 = (text: Buffer | string): string => createHash('sha256').update(text).digest('hex')

export const emptySum = { rows: 0, sha256: sha256('') }

/** A header that is right, but for what is given. */
export const headerWith = (given: Partial<BackupHeader> = {}): string =>
  JSON.stringify({
    format: 1,
    created_at: '2026-11-20T00:00:00.000Z',
    galley: '0.1.0',
    database: 'PostgreSQL 17',
    key_id: '0'.repeat(16),
    migrations: [
      { name: '20261120_000000_baseline.sql', namespace: 'galley', checksum: 'x', applied_at: '2026-11-20 00:00:00+00' }
    ],
    tables: [{ name: 'public.categories', columns: [{ name: 'slug', type: 'text' }], key: ['slug'] }],
    sequences: [],
    ...given
  })

export const manifestWith = (tables: BackupManifest['tables'], files: Partial<BackupManifest['files']> = {}): string =>
  JSON.stringify({ tables, files: { count: 0, bytes: 0, sha256: sha256(''), ...files } })
