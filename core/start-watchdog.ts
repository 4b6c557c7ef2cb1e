import { Worker } from 'node:worker_threads'
import { startSeconds } from './start-deadline.ts'

/** A process that still has turns to give keeps the limit itself, and tells more. */
const graceMs = 1_000

const code = `
const { writeSync } = require('node:fs')
const { workerData: { ended, limitMs, text } } = require('node:worker_threads')
if (Atomics.wait(new Int32Array(ended), 0, 0, limitMs) === 'timed-out') {
  writeSync(2, text)
  process.kill(process.pid, 'SIGKILL')
}`

/**
 * Does work that may loop where the engine cannot end it, such as a module that awaits something first. A thread beside
 * it writes `text` to stderr and ends the process where this one has no turn left to do so.
 */
export async function watched<T>(work: () => Promise<T>, text: string): Promise<T> {
  const ended = new SharedArrayBuffer(4)
  const limitMs = startSeconds() * 1_000 + graceMs
  const worker = new Worker(code, { eval: true, execArgv: [], env: {}, workerData: { ended, limitMs, text } })
  worker.unref()
  try {
    return await work()
  } finally {
    const flag = new Int32Array(ended)
    Atomics.store(flag, 0, 1)
    Atomics.notify(flag, 0)
  }
}
