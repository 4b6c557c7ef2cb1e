import { type FileHandle, open, rename } from 'node:fs/promises'
import path from 'node:path'
import { errorCode, isObject } from '#core'
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

export function createNoteFile(file: string): NoteFile {
  let hasIdentity = true
  return {
    read: () => readNote(file),
    async write(content) {
      const isWritten = await writeNote(file, content, hasIdentity)
      if (isWritten) return
      // On a file system without times of birth no file can be told from its copy.
      hasIdentity = false
      await writeNote(file, content, hasIdentity)
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
function writeNote(file: string, content: object, hasIdentity: boolean): Promise<boolean> {
  const unfinished = path.join(path.dirname(file), temporaryName())
  return withFile(unfinished, 'wx', async handle => {
    const identity = hasIdentity ? await identityOf(handle) : undefined
    await handle.writeFile(JSON.stringify({ ...content, file: identity }))
    await rename(unfinished, file)
    return identity === undefined || identity === (await identityOf(handle))
  })
}

async function withFile<T>(file: string, flags: string, work: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(file, flags, 0o600)
  return work(handle).finally(() => handle.close())
}

/** Another one for every copy, also one over the same file: each writing makes a new file. */
async function identityOf(handle: FileHandle): Promise<string> {
  const { ino, birthtimeNs } = await handle.stat({ bigint: true })
  return `${ino}/${birthtimeNs}`
}

function parse(text: string, identity: string): ReadNote | null {
  try {
    const content: unknown = JSON.parse(text)
    if (!isObject(content)) return null
    return { content, isCopy: typeof content.file === 'string' && content.file !== identity }
  } catch {
    return null
  }
}
