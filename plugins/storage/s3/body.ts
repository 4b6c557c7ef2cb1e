import type { Readable } from 'node:stream'
import { UnavailableError } from '#core'
import type { ByteRange } from '../index.ts'

/** So many bodies in a row may break off without a byte. */
const maxTries = 4

interface WantedBytes extends ByteRange {
  /** Asks for the bytes from `start` on. */
  open(start: number): Promise<Readable>
  /** An answer that is there already, with the bytes from the first on. */
  body?: Readable
}

/**
 * The bytes of a range. A connection may be lost in the middle of a body, when the SDK has its answer and tries nothing again: the
 * rest is then asked for.
 */
export async function* readUnbroken({ start: first, end, open, body: given }: WantedBytes): AsyncGenerator<Uint8Array> {
  let start = first
  let body = given
  for (let tries = 1; body !== undefined || start <= end; tries++) {
    body ??= await open(start)
    try {
      for await (const piece of body) {
        const wanted = piece.subarray(0, end + 1 - start)
        start += wanted.length
        tries = 0
        yield wanted
        // A service that knows no ranges sends the file to its end.
        if (wanted.length < piece.length) return
      }
    } catch (error) {
      if (tries >= maxTries) throw error
    }
    body = undefined
    if (start <= end && tries >= maxTries) throw new UnavailableError('The file was cut while it was read: try again.')
  }
}
