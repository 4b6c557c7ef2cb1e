import path from 'node:path'
import type { TestEvent } from 'node:test/reporters'

const shown = 10

/** A reporter that says at the end which files took longest. */
export default async function* slowest(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files: { file: string; ms: number }[] = []
  for await (const { type, data } of events) {
    // A file that runs alone has a summary; one of a group is a suite named after it.
    if (type === 'test:summary' && data.file?.endsWith('.ts')) files.push({ file: data.file, ms: data.duration_ms })
    else if (type === 'test:complete' && data.nesting === 0 && data.name.endsWith('.test.ts'))
      files.push({ file: data.name, ms: data.details.duration_ms })
  }
  if (files.length <= 1) return
  yield `\nThe slowest of ${files.length} files:\n`
  for (const { file, ms } of files.toSorted((a, b) => b.ms - a.ms).slice(0, shown))
    yield `${(ms / 1000).toFixed(1).padStart(7)} s  ${path.relative(process.cwd(), file)}\n`
}
