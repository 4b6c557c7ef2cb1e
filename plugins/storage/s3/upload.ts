import { createHash, randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FileContent } from '../index.ts'

/** A larger file goes in parts of this size, each of which can be sent again. */
const partBytes = 8 * 1024 * 1024

/** Bytes to be sent, with the hashes that have to be known first. */
export interface ObjectUpload {
  bytes: number
  sha256: string
  /** All bytes; null for what goes in parts. */
  whole: Buffer | null
  parts(): AsyncIterable<Buffer>
  /** Frees what it takes. */
  close(): Promise<void>
}

/** Reads a content. What does not fit a part waits in a temporary file, so that little is in memory. */
export async function openUpload(content: FileContent): Promise<ObjectUpload> {
  if (typeof content === 'string') return uploadOf(Buffer.from(content))
  if (content instanceof Uint8Array)
    return uploadOf(Buffer.from(content.buffer, content.byteOffset, content.byteLength))
  const pieces: Uint8Array[] = []
  let bytes = 0
  const iterator = content[Symbol.asyncIterator]()
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
    pieces.push(next.value)
    bytes += next.value.length
    if (bytes > partBytes) return uploadFile(pieces, { [Symbol.asyncIterator]: () => iterator })
  }
  return uploadOf(Buffer.concat(pieces))
}

function uploadOf(whole: Buffer): ObjectUpload {
  return {
    bytes: whole.length,
    sha256: createHash('sha256').update(whole).digest('hex'),
    whole: whole.length > partBytes ? null : whole,
    async *parts() {
      for (let at = 0; at < whole.length; at += partBytes) yield whole.subarray(at, at + partBytes)
    },
    close: async () => {}
  }
}

async function uploadFile(pieces: readonly Uint8Array[], rest: AsyncIterable<Uint8Array>): Promise<ObjectUpload> {
  const file = path.join(tmpdir(), `galley-upload-${randomUUID()}.tmp`)
  const handle = await open(file, 'wx+', 0o600)
  // Without a name it is gone with the process, however that ends.
  await rm(file)
  try {
    const hash = createHash('sha256')
    let bytes = 0
    const write = async (piece: Uint8Array) => {
      hash.update(piece)
      bytes += piece.length
      await handle.writeFile(piece)
    }
    for (const piece of pieces) await write(piece)
    for await (const piece of rest) await write(piece)
    return {
      bytes,
      sha256: hash.digest('hex'),
      whole: null,
      async *parts() {
        for (let at = 0; at < bytes; at += partBytes) {
          const length = Math.min(partBytes, bytes - at)
          const { buffer } = await handle.read({ buffer: Buffer.alloc(length), position: at })
          yield buffer
        }
      },
      close: () => handle.close()
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}
