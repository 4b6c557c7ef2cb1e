import { stat, statfs } from 'node:fs/promises'
import { critical, degraded, type Finding } from '#core'

const mb = 1024 * 1024
/** A film of some hours, or a few sentences: then nothing more is spoken. */
const criticalBytes = 100 * mb
const scarceBytes = 1024 * mb

/** Where media are written, and what to do where a disk is full. */
export interface MediaFolders {
  home: string
  folders: readonly string[]
  remedy: string
}

/** Null while there is room on the disks of some folders. The disk of the home has a check of its own. */
export async function findScarceDisk({ home, folders, remedy }: MediaFolders): Promise<Finding | null> {
  const seen = new Set([await deviceOf(home)])
  for (const folder of folders) {
    const device = await deviceOf(folder)
    if (device === null || seen.has(device)) continue
    seen.add(device)
    const { bavail, bsize, ffree, files } = await statfs(folder)
    if (files > 0 && ffree === 0) return critical(`The disk of ${folder} takes no more files.`, remedy)
    const bytes = bavail * bsize
    const found = `${Math.floor(bytes / mb)} MB are free on the disk of ${folder}.`
    if (bytes < criticalBytes) return critical(found, remedy)
    if (bytes < scarceBytes) return degraded(found, remedy)
  }
  return null
}

/** Null for a folder that is not there. */
const deviceOf = (folder: string): Promise<number | null> =>
  stat(folder).then(
    ({ dev }) => dev,
    () => null
  )
