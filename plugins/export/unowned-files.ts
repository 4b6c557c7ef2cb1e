import { ConflictError } from '#core'
import type { FileStore } from '#plugins/storage'
import { UnownedFileError } from './target.ts'

/** So many paths are looked up one by one. For more, their folder is listed once. */
const maxLooks = 32
/** A longer listing is not stored in memory. */
const maxListed = 200_000

/** Called before a new file is claimed. @throws UnownedFileError where an unowned file has its path */
type UnownedFileCheck = (path: string) => Promise<void>

export function createUnownedFileCheck(store: FileStore): UnownedFileCheck {
  const lists = new Map<string, Promise<ReadonlySet<string> | null>>()
  let looks = 0
  const isThere = async (path: string): Promise<boolean> => {
    const folder = path.slice(0, path.indexOf('/') + 1)
    if (folder === '' || ++looks <= maxLooks) return (await store.stat(path)) !== null
    const listing = lists.get(folder) ?? listAll(store, folder)
    lists.set(folder, listing)
    const listed = await listing
    return listed === null ? (await store.stat(path)) !== null : listed.has(path)
  }
  return async path => {
    if (await isThere(path)) throw new UnownedFileError(store, path)
  }
}

async function listAll(store: FileStore, folder: string): Promise<ReadonlySet<string> | null> {
  const keys = new Set<string>()
  for await (const { key } of store.list(folder)) {
    if (keys.size >= maxListed) return null
    keys.add(key)
  }
  return keys
}

/** The same for a file that is to be replaced. @throws ConflictError where it is not the one that was read */
export async function requireUnchanged(store: FileStore, path: string, etag: string | null): Promise<void> {
  if (await store.supportsConditions()) return
  const present = await store.stat(path)
  if ((present?.etag ?? null) !== etag)
    throw new ConflictError(`${path} in ${store.name} was changed by another program meanwhile: nothing was written.`)
}
