import path from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { keepDurations } from './durations.ts'
import { groupEnding } from './group-ending.ts'

const shown = 10

/** A reporter that says at the end which files took longest, and which did not end. The next run begins with what took longest. */
export default async function* slowest(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const seconds = new Map<string, number>()
  const begun = new Map<string, number>()
  const failures: string[] = []
  for await (const { type, data } of events) {
    if (type === 'test:fail' && data.name.endsWith(groupEnding))
      failures.push(endOfProcess(data.name, data.details.error))
    // Each file is a suite named after it. What the runner itself says of its time leaves out the hooks.
    if (type !== 'test:dequeue' && type !== 'test:complete') continue
    const { name: file, nesting } = data
    if (nesting !== 0 || !file.endsWith('.test.ts')) continue
    const at = begun.get(file)
    if (type === 'test:dequeue') begun.set(file, performance.now())
    else if (at !== undefined && begun.delete(file)) seconds.set(file, (performance.now() - at) / 1000)
  }
  yield* failures
  for (const file of begun.keys()) yield `\n${file} did not end.\n`
  keepDurations(seconds)
  if (seconds.size <= 1) return
  yield `\nThe slowest of ${seconds.size} files:\n`
  for (const [file, each] of [...seconds].toSorted(([, a], [, b]) => b - a).slice(0, shown))
    yield `${each.toFixed(1).padStart(7)} s  ${file}\n`
}

/** The runner says only that the test failed. What killed the process is told by the code or the signal. */
function endOfProcess(name: string, error: Error): string {
  const { exitCode, signal } = Object.fromEntries(Object.entries(error))
  return `\nThe process of ${path.basename(name)} ended with ${signal ?? `code ${exitCode}`}.\n`
}
