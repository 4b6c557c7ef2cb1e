// Loaded before a service (NODE_OPTIONS=--import): writes down each long iteration of its event loop, by the processor time of the
// thread that runs it. Other programs do not change that time, as they change the time by the clock.
import { openSync, readFileSync, writeSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/** Names the file; without it nothing is measured. */
const variable = 'GALLEY_BENCH_ITERATIONS'
const minMs = 4
const file = process.env[variable]

export interface LoopIteration {
  /** `Date.now()` at its end. */
  at: number
  cpuMs: number
}

/** The environment of a service whose iterations are measured. */
export const measuringIterations = (file: string): Record<string, string> => ({
  [variable]: file,
  NODE_OPTIONS: `--import ${import.meta.url}`
})

export const readIterations = (file: string): LoopIteration[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => {
      const [at = 0, cpuMs = 0] = line.split(' ').map(Number)
      return { at, cpuMs }
    })

if (file !== undefined && isMainThread && process.argv.includes('serve')) watch(openSync(file, 'a'))

/** Whatever passes between two calls of a timer of 1 ms is one iteration, or less than 1 ms more. */
function watch(descriptor: number): void {
  let last = process.threadCpuUsage()
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(last)
    const cpuMs = (user + system) / 1000
    if (cpuMs >= minMs) writeSync(descriptor, `${Date.now()} ${cpuMs}\n`)
    last = process.threadCpuUsage()
  }, 1).unref()
}
