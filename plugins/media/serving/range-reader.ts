import type { FastResponse } from '#core'
import type { ByteRange, OpenFile } from '#plugins/storage'

/** Larger ranges are streamed: a slow reader holds no more than this in memory. */
export const maxRangeBytes = 128 * 1024
/** What is sent at once beyond these is read into memory of its own. */
const maxFreeBuffers = 16

/** Reads a range of at most `maxRangeBytes` as the body of a response. */
export type RangeReader = (file: Pick<OpenFile, 'readRange'>, range: ByteRange) => Pick<FastResponse, 'body' | 'onSent'>

/** Uses the same memory again: new memory for each range costs as much as reading it, most of that in garbage collections. */
export function createRangeReader(): RangeReader {
  const free: Buffer[] = []
  return (file, range) => {
    let buffer: Buffer | undefined
    return {
      body: () => {
        buffer = free.pop() ?? Buffer.allocUnsafeSlow(maxRangeBytes)
        return file.readRange(range, buffer)
      },
      onSent: () => {
        if (buffer !== undefined && free.length < maxFreeBuffers) free.push(buffer)
      }
    }
  }
}
