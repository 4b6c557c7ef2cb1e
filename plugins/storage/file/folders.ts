import { lstat, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { errorCode, UnavailableError } from '#core'

/** The folder of a store. */
export interface FilePlace {
  root: string
  /** The setting that names it, for messages. */
  setting: string
  /** The machine's other users may read it. */
  isPublic: boolean
}

/** Makes a folder of a store, and refuses one behind a link: writing there would change a folder that nobody named. */
export async function makeFolder(place: FilePlace, folder: string): Promise<void> {
  const mode = place.isPublic ? 0o777 : 0o700
  await mkdir(place.root, { recursive: true, mode })
  let below = ''
  for (const segment of folder.split('/').filter(each => each !== '' && each !== '.')) {
    below = path.join(below, segment)
    const directory = path.join(place.root, below)
    await mkdir(directory, { mode }).catch(ignoreFolder)
    const found = await lstat(directory)
    if (found.isSymbolicLink()) throw linked(place, below)
    // A file in its place: the error says so.
    if (!found.isDirectory()) await mkdir(directory)
  }
}

function ignoreFolder(error: unknown): void {
  if (errorCode(error) !== 'EEXIST') throw error
}

export const linked = ({ root, setting }: FilePlace, what: string) =>
  new UnavailableError(
    `${what} in the folder ${root} is a link: put what it stands for in its place, or name another folder with ${setting}.`
  )
