import type { TestEvent } from 'node:test/reporters'
import { keepDurations } from './durations.ts'

const shown = 10

/** A reporter that says at the end which files took longest, and which did not end. The next run begins with what took longest. */
export default async function* slowest(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const seconds = new Map<string, number>()
  const begun = new Map<string, number>()
  for await (const { type, data } of events) {
    // Each file is a suite named after it. What the runner itself says of its time leaves out the hooks.
    if (type !== 'test:dequeue' && type !== 'test:complete') continue
    const { name: file, nesting } = data
    if (nesting !== 0 || !file.endsWith('.test.ts')) continue
    const at = begun.get(file)
    if (type === 'test:dequeue') begun.set(file, performance.now())
    else if (at !== undefined && begun.delete(file)) seconds.set(file, (performance.now() - at) / 1000)
  }
  for (const file of begun.keys()) yield `\n${file} did not end.\n`
  keepDurations(seconds)
  if (seconds.size <= 1) return
  yield `\nThe slowest of ${seconds.size} files:\n`
  for (const [file, each] of [...seconds].toSorted(([, a], [, b]) => b - a).slice(0, shown))
    yield `${each.toFixed(1).padStart(7)} s  ${file}\n`
}
