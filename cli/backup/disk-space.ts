import { statfs } from 'node:fs/promises'
import { ConflictError } from '../../core/contract/errors.ts'

const mb = 1024 * 1024
/** Left free: an embedded database on the same disk must be able to write. */
const reserveBytes = 256 * mb

/** @throws ConflictError when so many bytes do not fit on the disk of a folder. */
export async function refuseFullDisk(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (bytes + reserveBytes <= free) return
  throw new ConflictError(
    `The backup needs ${Math.ceil(bytes / mb)} MB on the disk of ${folder}, where ${Math.floor(free / mb)} MB are free and ${reserveBytes / mb} are kept: make room.`
  )
}
