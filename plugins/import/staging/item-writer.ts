import { closeSync, openSync, writeSync } from 'node:fs'
import type { SourceItem } from '../source-post.ts'

const flushLength = 1_000_000

/** Writes items into a file, one a line. It runs in a process of its own, which may wait for the disk. */
export function createItemWriter(target: string) {
  const file = openSync(target, 'wx', 0o600)
  let lines: string[] = []
  let length = 0
  let items = 0
  const flush = () => {
    writeSync(file, lines.join(''))
    lines = []
    length = 0
  }
  return {
    write(item: SourceItem): void {
      const line = `${JSON.stringify(item)}\n`
      lines.push(line)
      items += 1
      length += line.length
      if (length > flushLength) flush()
    },
    /** @returns how many items there are */
    close(): number {
      flush()
      closeSync(file)
      return items
    }
  }
}
export type ItemWriter = ReturnType<typeof createItemWriter>
