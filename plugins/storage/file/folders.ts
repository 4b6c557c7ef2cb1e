import { lstat, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { ConflictError, createBoundedMap, errorCode, UnavailableError } from '#core'
import { makeFolders } from '#files/make-folders'

/** The folder of a store. */
export interface FilePlace {
  root: string
  /** The setting that names it, for messages. */
  setting: string
  /** The machine's other users may read it. */
  isPublic: boolean
}

/**
 * Makes folders of a store, and refuses one behind a link: writing there would change a folder that nobody named. It
 * remembers those that are there until `forget`.
 */
interface FolderMaker {
  make(folder: string): Promise<void>
  /** Somebody may have removed one. */
  forget(): void
}

export function createFolderMaker(place: FilePlace): FolderMaker {
  const made = createBoundedMap<string, true>({ maxEntries: () => maxRemembered })
  const mode = folderModeOf(place)
  return {
    forget: made.clear,
    async make(folder) {
      if (made.get(folder)) return
      if (!made.get('')) await makeFolders(place.root, mode)
      made.set('', true)
      let below = ''
      for (const segment of folder.split('/').filter(each => each !== '' && each !== '.')) {
        below = path.join(below, segment)
        if (!made.get(below)) await makeOne(place, below, mode)
        made.set(below, true)
      }
      made.set(folder, true)
    }
  }
}

const maxRemembered = 10_000

async function makeOne(place: FilePlace, folder: string, mode: number): Promise<void> {
  const directory = path.join(place.root, folder)
  const isNew = await mkdir(directory, { mode }).then(() => true, ignoreFolder)
  if (isNew) return
  const found = await lstat(directory)
  if (found.isSymbolicLink()) throw linked(place, folder)
  // A file in its place: the error says so.
  if (!found.isDirectory()) await mkdir(directory)
}

function ignoreFolder(error: unknown): false {
  if (errorCode(error) !== 'EEXIST') throw error
  return false
}

export const linked = ({ root, setting }: FilePlace, what: string) =>
  new UnavailableError(
    `${what} in the folder ${root} is a link: put what it stands for in its place, or name another folder with ${setting}.`
  )

export const changedMeanwhile = (key: string) =>
  new ConflictError(`${key} was changed by another program meanwhile: nothing was written.`)

export const folderModeOf = ({ isPublic }: FilePlace): number => (isPublic ? 0o777 : 0o700)
export const fileModeOf = ({ isPublic }: FilePlace): number => (isPublic ? 0o666 : 0o600)
