import { realpathSync } from 'node:fs'
import path from 'node:path'
import { ConflictError, type Installation, type Settings, UnavailableError } from '#core'
import type { FileStore, Storage } from '#plugins/storage'
import type { exportSettings } from './settings.ts'

/** Where an export goes. */
export interface ExportTarget {
  store: FileStore
  /** The default folder in the home: no other program writes there. */
  isOwn: boolean
  /** The setting as it was read. */
  address: string
}

export interface TargetDeps {
  storage: Storage
  settings: Settings<typeof exportSettings>
  installation: Pick<Installation, 'home'>
}

/** `isUrgent`: its requests do not queue behind those of a run under way. */
export function openTarget({ storage, settings, installation }: TargetDeps, isUrgent = false): ExportTarget {
  const address = settings.get('export_target')
  const folder = address === '' ? `file:${path.join(installation.home, 'export')}` : address
  return {
    address,
    isOwn: address === '',
    store: storage.open(folder, { setting: 'export_target', isPublic: true, isUrgent })
  }
}

/** Folders in the home that are for no export: the database, files and backups of theirs, and what is being worked on. */
const takenFolders = ['data', 'media', 'backups', 'work']

/** What is wrong with an address as the target, or null. The home holds keys and the database, and an export is for everybody. */
export function targetFault(address: string, { storage, installation }: Pick<TargetDeps, 'storage' | 'installation'>) {
  if (address === '') return null
  const home = realPath(installation.home)
  const folder = address.startsWith('file:') ? realPath(`/${address.replace(/^file:\/*/, '')}`) : undefined
  const isTaken =
    folder !== undefined &&
    (isWithin(home, folder) || takenFolders.some(name => isWithin(folder, realPath(path.join(home, name)))))
  return isTaken
    ? `must name a folder of its own: ${folder} has the keys, the database, media or backups in it`
    : storage.faultOf(address)
}

/** Without links, as far as there is something. */
function realPath(place: string): string {
  const { dir, base } = path.parse(path.resolve(place))
  if (base === '') return dir
  try {
    return realpathSync(place)
  } catch {
    return path.join(realPath(dir), base)
  }
}

const isWithin = (folder: string, parent: string) => `${folder}/`.startsWith(parent === '/' ? '/' : `${parent}/`)

/** A file of others has the path of a file of the export. */
export class UnownedFileError extends UnavailableError {
  constructor({ name }: FileStore, file: string) {
    super(
      `The export target ${name} has a file ${file} that no export wrote: it was not changed. Move it away, or set export_target to an empty place.`
    )
  }
}

/** The target is that of another database. */
export class OtherExporterError extends UnavailableError {
  constructor({ name }: FileStore) {
    super(
      `The export target ${name} has the export of another database: nothing was changed. Set export_target to a place of its own. If that database exports no more, or if this home was put back from a copy, take its place with galley export rebuild --take-over.`
    )
  }
}

export const unknownPath = ({ name }: FileStore, file: string, where: string) =>
  new UnavailableError(
    `${where} in the export target ${name} names ${JSON.stringify(file.slice(0, 200))}, which no export writes: nothing was changed. Remove ${where} if the target is to be used, or set export_target.`
  )

/** A run ends with the setting it began with: no failure of the target. */
export class TargetMovedError extends ConflictError {
  constructor() {
    super('export_target was changed while the export was written: the next run writes to the new target.')
  }
}
