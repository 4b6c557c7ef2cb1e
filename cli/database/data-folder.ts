import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { UnavailableError } from '../../core/contract/errors.ts'
import { errorCode } from '../../core/unknown.ts'
import { dataFolder } from '../config/home.ts'
import { wasOwned } from './home-lock.ts'
import { restoreDataRemedy } from './restore-remedy.ts'

/** Why the embedded database cannot be opened, and what to do. */
export interface DataFault {
  /**
   * `none`: no database was ever made here. `lost`: there was one, and its folder is gone or empty. `damaged`: what is
   * there is no whole database of this release.
   */
  kind: 'none' | 'lost' | 'damaged'
  found: string
  remedy: string
}

/** The release of PostgreSQL that PGlite is, as `PG_VERSION` and `pg_control` name it. */
const release = { version: '18', control: 1800 }
/** PostgreSQL does not start without these. */
const folders = [
  'base',
  'global',
  'pg_commit_ts',
  'pg_dynshmem',
  'pg_logical',
  'pg_multixact',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_tblspc',
  'pg_twophase',
  'pg_wal',
  'pg_xact'
]
const files = ['postgresql.conf', 'global/pg_filenode.map']
const controlBytes = 8192

/**
 * Finds out, without opening it, whether the embedded database of a home is there and whole; null when it is. PGlite makes a
 * fresh cluster wherever it finds no `PG_VERSION`, over whatever else lies there.
 */
export function findDataFault(home: string): DataFault | null {
  const data = dataFolder(home)
  try {
    return faultOf(home, data)
  } catch (error) {
    return {
      kind: 'damaged',
      found: `${data} cannot be read (${errorCode(error) ?? error})`,
      remedy: 'run galley as the user it belongs to'
    }
  }
}

/** @throws UnavailableError when there is no whole database in the home. */
export function requireDatabase(home: string): void {
  const fault = findDataFault(home)
  if (fault !== null) throw new UnavailableError(fault.found, { remedy: fault.remedy })
}

function faultOf(home: string, data: string): DataFault | null {
  const entries = list(data)
  const damaged = (found: string, remedy = restoreDataRemedy(data)): DataFault => ({
    kind: 'damaged',
    found: `The embedded database in ${data} cannot be opened: ${found}`,
    remedy
  })
  if (entries === null)
    return isLink(data) ? damaged('it is a link that leads nowhere') : absent(home, 'does not exist')
  if (entries.length === 0) return absent(home, 'is empty')
  if (entries === 'file') return damaged('it is not a folder')
  const version = read(path.join(data, 'PG_VERSION'))?.toString('utf8').trim()
  if (version === undefined) return damaged('PG_VERSION is missing')
  if (/^\d{1,3}$/.test(version) && version !== release.version)
    return damaged(
      `it is of PostgreSQL ${version}, and this galley opens ${release.version}`,
      'use the galley that made it, write a backup there, and restore that here'
    )
  if (version !== release.version) return damaged('PG_VERSION is not readable')
  const missing = [
    ...folders.filter(name => !Array.isArray(list(path.join(data, name)))),
    ...files.filter(name => read(path.join(data, name)) === undefined)
  ]
  if (missing.length > 0)
    return damaged(`${missing.slice(0, 3).join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`)
  const fault = contentsFault(data)
  return fault === null ? null : damaged(fault)
}

function contentsFault(data: string): string | null {
  const control = read(path.join(data, 'global', 'pg_control'))
  if (control === undefined) return 'global/pg_control is missing'
  if (control.length !== controlBytes) return `global/pg_control has ${control.length} bytes instead of ${controlBytes}`
  if (control.readUInt32LE(8) !== release.control) return 'global/pg_control is not readable'
  const hasLog = namesIn(path.join(data, 'pg_wal')).some(name => /^[0-9A-F]{24}$/.test(name))
  if (!hasLog) return 'pg_wal holds no log'
  return namesIn(path.join(data, 'base')).length === 0 ? 'base is empty' : null
}

/** A folder that is empty where a database was may be a disk that is not mounted. */
function absent(home: string, how: string): DataFault {
  const data = dataFolder(home)
  if (!wasOwned(home))
    return {
      kind: 'none',
      found: `${data} ${how}: there is no database`,
      remedy: 'run galley setup, or restore a backup after it'
    }
  return {
    kind: 'lost',
    found: `${data} ${how}, and there was a database in it`,
    remedy: `put it back, or mount its disk; for an empty database run galley setup --force, and restore a backup with galley backup restore FILE`
  }
}

/** What a folder holds; null when there is nothing of that name, or a link that leads nowhere. */
function list(folder: string): string[] | 'file' | null {
  const stats = statSync(folder, { throwIfNoEntry: false })
  if (stats === undefined) return null
  return stats.isDirectory() ? readdirSync(folder) : 'file'
}

function namesIn(folder: string): string[] {
  const found = list(folder)
  return Array.isArray(found) ? found : []
}

const isLink = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false }) !== undefined

function read(file: string): Buffer | undefined {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats?.isFile() ? readFileSync(file) : undefined
}
