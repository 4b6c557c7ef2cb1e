import type { TestEvent } from 'node:test/reporters'

const shown = 10

/** A reporter that says at the end which files took longest, and which did not end. */
export default async function* slowest(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files: { file: string; ms: number }[] = []
  const begun = new Map<string, number>()
  for await (const { type, data } of events) {
    // Each file is a suite named after it. What the runner itself says of its time leaves out the hooks.
    if (type !== 'test:dequeue' && type !== 'test:complete') continue
    const { name: file, nesting } = data
    if (nesting !== 0 || !file.endsWith('.test.ts')) continue
    const at = begun.get(file)
    if (type === 'test:dequeue') begun.set(file, performance.now())
    else if (at !== undefined && begun.delete(file)) files.push({ file, ms: performance.now() - at })
  }
  for (const file of begun.keys()) yield `\n${file} did not end.\n`
  if (files.length <= 1) return
  yield `\nThe slowest of ${files.length} files:\n`
  for (const { file, ms } of files.toSorted((a, b) => b.ms - a.ms).slice(0, shown))
    yield `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}\n`
}
