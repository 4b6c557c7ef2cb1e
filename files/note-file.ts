import { type FileHandle, open, rename } from 'node:fs/promises'
import path from 'node:path'
import { errorCode, isObject } from '#core'
import { syncFolder } from './sync-folder.ts'
import { temporaryName } from './temporary-name.ts'

/** What a note says. */
export interface ReadNote {
  /** As it was written, with what is not known to be right: anybody may have changed the file. */
  content: Readonly<Record<string, unknown>>
  /** The file is not the one that was written: its folder was copied, or put back from a backup. */
  isCopy: boolean
}

/** A file that recognizes a copy of itself, also one over itself. For what must not be believed in a copied folder. */
export interface NoteFile {
  /** Null where nothing was noted, or something else was written there. */
  read(): Promise<ReadNote | null>
  write(content: object): Promise<void>
}

/** `isDurable`: it survives a power cut. */
export function createNoteFile(file: string, { isDurable = false } = {}): NoteFile {
  let hasIdentity = true
  return {
    read: () => readNote(file),
    async write(content) {
      const isWritten = await writeNote(file, content, { hasIdentity, isDurable })
      if (isWritten) return
      // A file system that gives a renamed file another number.
      hasIdentity = false
      await writeNote(file, content, { hasIdentity, isDurable })
    }
  }
}

async function readNote(file: string): Promise<ReadNote | null> {
  try {
    // One handle for both: the file may be replaced meanwhile.
    return await withFile(file, 'r', async handle => parse(await handle.readFile('utf8'), await identityOf(handle)))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** False when the file became another one by its renaming, as far as can be told. */
async function writeNote(
  file: string,
  content: object,
  { hasIdentity, isDurable }: { hasIdentity: boolean; isDurable: boolean }
): Promise<boolean> {
  const folder = path.dirname(file)
  const unfinished = path.join(folder, temporaryName())
  const isSame = await withFile(unfinished, 'wx', async handle => {
    const identity = hasIdentity ? await identityOf(handle) : undefined
    await handle.writeFile(JSON.stringify({ ...content, file: identity }))
    if (isDurable) await handle.sync()
    await rename(unfinished, file)
    return identity === undefined || identity === (await identityOf(handle))
  })
  if (isDurable) await syncFolder(folder)
  return isSame
}

async function withFile<T>(file: string, flags: string, work: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(file, flags, 0o600)
  return work(handle).finally(() => handle.close())
}

/**
 * Another one for every copy, also one over the same file: each writing makes a new file. Undefined on a file system without times of
 * birth, where no file can be told from its copy.
 */
async function identityOf(handle: FileHandle): Promise<string | undefined> {
  const { ino, birthtimeNs } = await handle.stat({ bigint: true })
  return birthtimeNs === 0n ? undefined : `${ino}/${birthtimeNs}`
}

function parse(text: string, identity: string | undefined): ReadNote | null {
  try {
    const content: unknown = JSON.parse(text)
    if (!isObject(content)) return null
    return { content, isCopy: identity !== undefined && typeof content.file === 'string' && content.file !== identity }
  } catch {
    return null
  }
}
