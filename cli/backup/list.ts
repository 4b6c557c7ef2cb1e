import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { AppError, UnavailableError } from '../../core/contract/errors.ts'
import { parseHeader, parseManifest, readDescription, toDamageError } from './entries.ts'
import { footerBytes, manifestPlace } from './footer.ts'
import { type BackupHeader, type BackupManifest, headerName, manifestName } from './format.ts'
import { openRegular, readCompressed } from './open-file.ts'
import { readTar } from './tar.ts'

/** A file of the folder, as its header and manifest tell of it; nothing else of it is read. */
export interface ListedBackup {
  file: string
  /** Bytes. */
  size: number
  /** When the backup was made; null, as all that follows, when the file does not say. */
  created_at: string | null
  galley: string | null
  /** The key its secrets need, by its name. */
  key_id: string | null
  posts: number | null
  rows: number | null
  files: number | null
  /** Why it does not say; null when it does. */
  problem: string | null
}

/** Folder of a home that `backup create` writes to, and `backup list` shows. */
export const backupFolder = (home: string): string => path.join(home, 'backups')

/** Backups of a folder, the file written last first. A folder that is not there has none. */
export async function listBackups(options: {
  folder: string
  limit: number
  offset: number
}): Promise<{ items: ListedBackup[]; total: number }> {
  const { folder, limit, offset } = options
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new UnavailableError(`The folder ${folder} cannot be read (${error.code})`, {
      cause: error,
      remedy: 'run galley as the user it belongs to'
    })
  })
  const files = []
  for (const name of names.filter(each => each.endsWith('.tar.gz') && !each.startsWith('.'))) {
    const file = path.join(folder, name)
    const stats = await stat(file).catch(() => null) // it was just removed
    if (stats !== null) files.push({ file, size: stats.size, at: stats.mtimeMs })
  }
  files.sort((a, b) => b.at - a.at || (a.file < b.file ? 1 : -1))
  const items: ListedBackup[] = []
  for (const { file, size } of files.slice(offset, offset + limit)) items.push(await describe(file, size))
  return { items, total: files.length }
}

async function describe(file: string, size: number): Promise<ListedBackup> {
  const unknown = { file, size, created_at: null, galley: null, key_id: null, posts: null, rows: null, files: null }
  try {
    const { created_at, galley, key_id } = await headerOf(file)
    const manifest = await manifestOf(file)
    return { ...unknown, created_at, galley, key_id, ...contentsOf(manifest) }
  } catch (error) {
    const damage = toDamageError(error)
    return { ...unknown, problem: damage instanceof AppError ? damage.message : String(damage) }
  }
}

function contentsOf(manifest: BackupManifest | null) {
  if (manifest === null) return { problem: 'It was packed again: only "galley backup verify" can tell what it holds.' }
  const { tables, files } = manifest
  return {
    posts: tables['public.posts']?.rows ?? 0,
    rows: Object.values(tables).reduce((sum, { rows }) => sum + rows, 0),
    files: files.count,
    problem: null
  }
}

/** The header is the first entry. */
const maxHeaderBytes = 8 * 1024 * 1024

async function headerOf(file: string): Promise<BackupHeader> {
  for await (const entry of readTar(readCompressed(file, maxHeaderBytes))) {
    if (entry.name !== headerName) throw new Error(`it does not begin with ${headerName}`)
    return parseHeader(await readDescription(entry))
  }
  throw new Error('it is empty')
}

/** The manifest is packed by itself, and what ends the file says where; null for a file that does not say. */
async function manifestOf(file: string): Promise<BackupManifest | null> {
  const handle = await openRegular(file)
  try {
    const { size } = await handle.stat()
    const end = Buffer.alloc(footerBytes)
    await handle.read(end, 0, footerBytes, Math.max(0, size - footerBytes))
    const place = manifestPlace(end, size)
    if (place === null || place.length > maxHeaderBytes) return null
    const packed = Buffer.alloc(place.length)
    const { bytesRead } = await handle.read(packed, 0, place.length, place.offset)
    const bytes = gunzipSync(packed.subarray(0, bytesRead), { maxOutputLength: maxHeaderBytes })
    for await (const entry of readTar(once(bytes)))
      if (entry.name === manifestName) return parseManifest(await readDescription(entry))
    return null
  } finally {
    await handle.close()
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
