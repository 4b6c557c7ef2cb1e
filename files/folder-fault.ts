import { isObject, UnavailableError } from '#core'

export interface NamedFolder {
  /** Begins the message: `The media folder /srv/media`. */
  name: string
  /** The key of the setting that names another one. */
  setting: string
}

const remedies: Readonly<Record<string, string>> = {
  ENOSPC: 'make room on its disk',
  EDQUOT: 'make room on its disk',
  EACCES: 'let galley read and write it',
  EPERM: 'let galley read and write it',
  EROFS: 'let galley read and write it'
}

/** Faults of the file system become messages for the operator. Other errors are returned unchanged. */
export function folderFault({ name, setting }: NamedFolder, error: unknown): unknown {
  if (!isObject(error) || error.syscall === undefined) return error
  const remedy = remedies[String(error.code)] ?? 'check its permissions and space'
  return new UnavailableError(
    `${name} cannot be used (${error.code} in ${error.syscall}): ${remedy}, or set ${setting}.`,
    { cause: error }
  )
}

/** Wraps work on the folder. What it returns throws UnavailableError when the folder cannot be used. */
export const createFolderGuard =
  (folder: NamedFolder) =>
  <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
  (...args: Args): Promise<Result> =>
    work(...args).catch((error: unknown) => {
      throw folderFault(folder, error)
    })
