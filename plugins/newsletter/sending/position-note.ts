import { type FileHandle, open, rename } from 'node:fs/promises'
import path from 'node:path'
import { errorCode, isObject } from '#core'
import { temporaryName } from '#files'
import type { DatabasePosition } from '../repository/state.ts'

/** What a home notes of its database. */
interface NotedPosition extends DatabasePosition {
  /** The file is not the one that was written: the home was copied, or put back from a backup. */
  isCopy: boolean
}

/** A file beside the database that says how far it was. */
interface PositionNote {
  /** Null where nothing was noted, or something else was written there. */
  read(): Promise<NotedPosition | null>
  write(position: DatabasePosition): Promise<void>
}

export function createPositionNote(home: string): PositionNote {
  const file = path.join(home, 'newsletter-position.json')
  let hasIdentity = true
  return {
    read: () => readNote(file),
    async write(position) {
      const isWritten = await writeNote(file, position, hasIdentity)
      if (isWritten) return
      // On a file system without times of birth no file can be told from its copy.
      hasIdentity = false
      await writeNote(file, position, hasIdentity)
    }
  }
}

async function readNote(file: string): Promise<NotedPosition | null> {
  try {
    // One handle for both: the file may be replaced meanwhile.
    return await withFile(file, 'r', async handle => parse(await handle.readFile('utf8'), await identityOf(handle)))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** False when the file became another one by its renaming, as far as can be told. */
function writeNote(file: string, position: DatabasePosition, hasIdentity: boolean): Promise<boolean> {
  const unfinished = path.join(path.dirname(file), temporaryName())
  return withFile(unfinished, 'wx', async handle => {
    const identity = hasIdentity ? await identityOf(handle) : undefined
    await handle.writeFile(JSON.stringify({ ...position, file: identity }))
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

function parse(text: string, identity: string): NotedPosition | null {
  try {
    const noted: unknown = JSON.parse(text)
    if (!isObject(noted) || typeof noted.database_id !== 'string' || typeof noted.position !== 'number') return null
    const isCopy = typeof noted.file === 'string' && noted.file !== identity
    return { database_id: noted.database_id, position: noted.position, isCopy }
  } catch {
    return null
  }
}
