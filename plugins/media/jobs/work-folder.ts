import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Installation } from '#core'

/**
 * Where the spoken pieces of a post lie until its episode is made: a job that goes on after a kill, or after an edit, has none
 * of them spoken twice. Another machine begins anew.
 */
export interface WorkFolder {
  /** Path of the piece with this identity, and whether it is there. */
  find(identity: string): Promise<{ file: string; isThere: boolean }>
  save(file: string, content: Uint8Array): Promise<void>
  /** Path for a file that is begun anew each time. */
  pathOf(name: string): string
  remove(): Promise<void>
}

const pathFor = (home: string, post_id: string): string => path.join(home, 'work', 'media', post_id)

/** For a post whose media nobody wants any more. */
export const removeWorkFolder = ({ home }: Pick<Installation, 'home'>, post_id: string): Promise<void> =>
  rm(pathFor(home, post_id), { recursive: true, force: true })

export async function openWorkFolder(installation: Pick<Installation, 'home'>, post_id: string): Promise<WorkFolder> {
  const folder = pathFor(installation.home, post_id)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return {
    find: async identity => {
      const file = path.join(folder, `${createHash('sha256').update(identity).digest('hex')}.wav`)
      const isThere = await stat(file).then(
        () => true,
        () => false
      )
      return { file, isThere }
    },
    save: async (file, content) => {
      const unfinished = `${file}.${randomUUID()}`
      try {
        await writeFile(unfinished, content, { mode: 0o600 })
        await rename(unfinished, file)
      } finally {
        await rm(unfinished, { force: true })
      }
    },
    pathOf: name => path.join(folder, name),
    remove: () => removeWorkFolder(installation, post_id)
  }
}
