import { read } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { UnavailableError } from '#core'
import type { ByteRange, OpenFile } from '../index.ts'

/** How ranges of an open file are read, and how it is closed. */
type RangeReads = Pick<OpenFile, 'readRange' | 'close'>

/** By the number of the file: the handle's own `read` takes a fifth more CPU time. */
export function createRangeReads(handle: FileHandle): RangeReads {
  let reading = 0
  let allRead: PromiseWithResolvers<void> | undefined
  return {
    async readRange(range, buffer) {
      reading += 1
      try {
        return await readRange(handle.fd, range, buffer)
      } finally {
        reading -= 1
        if (reading === 0) {
          allRead?.resolve()
          allRead = undefined
        }
      }
    },
    async close() {
      // The number is given to the next file that is opened: a read that waits for its turn would read that one.
      while (reading > 0) {
        allRead ??= Promise.withResolvers()
        await allRead.promise
      }
      // It may be closed already.
      await handle.close().catch(() => {})
    }
  }
}

async function readRange(fd: number, { start, end }: ByteRange, given?: Buffer): Promise<Buffer> {
  const bytes = end - start + 1
  const buffer = given !== undefined && given.length >= bytes ? given.subarray(0, bytes) : Buffer.allocUnsafe(bytes)
  if ((await readInto(buffer, fd, start)) === bytes) return buffer
  throw new UnavailableError('The file was cut while it was read: try again.')
}

const readInto = (buffer: Buffer, fd: number, position: number): Promise<number> =>
  new Promise((resolve, reject) => {
    read(fd, buffer, 0, buffer.length, position, (error, bytesRead) =>
      error === null ? resolve(bytesRead) : reject(error)
    )
  })
