import type { FastResponse } from '#core'
import type { OpenFile } from '#plugins/storage'
import type { FilePart } from './file-answer.ts'

/** Larger parts are streamed: a slow reader holds no more than this in memory. */
export const maxPartBytes = 128 * 1024
/** What is sent at once beyond these is read into memory of its own. */
const maxFreeBuffers = 16

/** Reads a part of at most `maxPartBytes` as the body of a response. */
export type PartReader = (file: Pick<OpenFile, 'readPart'>, part: FilePart) => Pick<FastResponse, 'body' | 'onSent'>

/** Uses the same memory again: new memory for each part costs as much as reading it, most of that in garbage collections. */
export function createPartReader(): PartReader {
  const free: Buffer[] = []
  return (file, part) => {
    let buffer: Buffer | undefined
    return {
      body: () => {
        buffer = free.pop() ?? Buffer.allocUnsafeSlow(maxPartBytes)
        return file.readPart(part, buffer)
      },
      onSent: () => {
        if (buffer !== undefined && free.length < maxFreeBuffers) free.push(buffer)
      }
    }
  }
}
