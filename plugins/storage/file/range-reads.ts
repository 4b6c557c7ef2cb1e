import { read } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { UnavailableError } from '#core'
import type { ByteRange, OpenFile } from '../index.ts'

/** How ranges of an open file are read, and how it is closed. */
type RangeReads = Pick<OpenFile, 'read' | 'readRange' | 'close'>

/** By the number of the file: the handle's own `read` takes a fifth more CPU time. `size`: of the file, in bytes. */
export function createRangeReads(handle: FileHandle, size: number): RangeReads {
  let reading = 0
  let allRead: PromiseWithResolvers<void> | undefined
  const reads: RangeReads = {
    read: (range = { start: 0, end: size - 1 }) =>
      Readable.from(inPieces(reads, range), { objectMode: false, highWaterMark: pieceBytes }).once(
        'close',
        reads.close
      ),
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
  return reads
}

const pieceBytes = 65_536

/** A file that was cut is an error: who waits for the bytes that were promised would take those of the next answer for them. */
async function* inPieces({ readRange }: Pick<RangeReads, 'readRange'>, { start, end }: ByteRange) {
  for (let at = start; at <= end; at += pieceBytes)
    yield await readRange({ start: at, end: Math.min(end, at + pieceBytes - 1) })
}

async function readRange(fd: number, { start, end }: ByteRange, given?: Buffer): Promise<Buffer> {
  const bytes = end - start + 1
  const buffer = given !== undefined && given.length >= bytes ? given.subarray(0, bytes) : Buffer.allocUnsafe(bytes)
  // One read may give fewer bytes than there are, as on a network drive.
  for (let done = 0; done < bytes; ) {
    const read = await readInto(done === 0 ? buffer : buffer.subarray(done), fd, start + done)
    if (read === 0) throw new UnavailableError('The file was cut while it was read: try again.')
    done += read
  }
  return buffer
}

const readInto = (buffer: Buffer, fd: number, position: number): Promise<number> =>
  new Promise((resolve, reject) => {
    read(fd, buffer, 0, buffer.length, position, (error, bytesRead) =>
      error === null ? resolve(bytesRead) : reject(error)
    )
  })
