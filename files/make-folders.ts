import { existsSync, mkdirSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'

// Node.js's own recursive mkdir never ends where a file system answers ENOENT for a folder in one that is there, as /proc does.

/** Makes a folder and those it is in, unless they are there. @throws the error of the file system */
export async function makeFolders(folder: string, mode?: number): Promise<void> {
  try {
    await mkdir(folder, { mode })
  } catch (error) {
    if (isFolder(folder)) return
    if (existsSync(path.dirname(folder))) throw error
    await makeFolders(path.dirname(folder), mode)
    await makeFolders(folder, mode)
  }
}

/** The same, for where nothing else waits. */
export function makeFoldersSync(folder: string, mode?: number): void {
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    if (isFolder(folder)) return
    if (existsSync(path.dirname(folder))) throw error
    makeFoldersSync(path.dirname(folder), mode)
    makeFoldersSync(folder, mode)
  }
}

const isFolder = (folder: string): boolean => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
