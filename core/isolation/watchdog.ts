import { Worker } from 'node:worker_threads'
import { startSeconds } from './deadline.ts'

/** A process whose event loop still runs ends the step itself, with a better message. */
const graceMs = 1_000
const heartbeatMs = 250
/** Then the thread ends: the next step starts another. */
const idleMs = 5_000
const maxMessageBytes = 4_000

/** Places in `clock`: ticks of the event loop, bytes of the message (0: nothing runs), and whether the thread has ended. */
const code = `
const { writeSync } = require('node:fs')
const { workerData: { clock, text, limitMs, graceMs, idleMs } } = require('node:worker_threads')
for (;;) {
  const tick = Atomics.load(clock, 0)
  const length = Atomics.load(clock, 1)
  if (Atomics.wait(clock, 0, tick, length > 0 ? limitMs : idleMs) !== 'timed-out') continue
  if (length > 0) {
    // A process that was paused, or whose machine was, may first tick once more.
    if (Atomics.wait(clock, 0, tick, graceMs) !== 'timed-out') continue
    try {
      writeSync(2, Buffer.from(text.slice(0, length)))
    } finally {
      process.kill(process.pid, 'SIGKILL')
    }
  }
  Atomics.store(clock, 2, 1)
  if (Atomics.load(clock, 0) === tick) break
  Atomics.store(clock, 2, 0)
}`

interface Watch {
  clock: Int32Array
  text: Uint8Array
}

const messages: { text: string }[] = []
let watch: Watch | undefined
let heartbeat: NodeJS.Timeout | undefined

/**
 * Watches work that may loop where the engine cannot end it, such as after something awaited. If the event loop is blocked
 * for longer than a step may take, a thread writes `text` to stderr and kills the process. Returns what to call at the end.
 */
export function startWatchdog(text: string): () => void {
  const message = { text }
  messages.push(message)
  heartbeat ??= setInterval(signalAlive, heartbeatMs).unref()
  signalAlive()
  return () => {
    messages.splice(messages.indexOf(message), 1)
    signalAlive()
    if (messages.length > 0) return
    clearInterval(heartbeat)
    heartbeat = undefined
  }
}

/** Signals that the event loop runs, and what it is running. */
function signalAlive(): void {
  watch ??= startWatch()
  const { clock, text } = watch
  const { written } = new TextEncoder().encodeInto(messages.at(-1)?.text ?? '', text)
  Atomics.store(clock, 1, written)
  Atomics.add(clock, 0, 1)
  Atomics.notify(clock, 0)
  // Read last: a thread that is about to end sets this first, and then looks for a new tick.
  if (written === 0 || Atomics.load(clock, 2) === 0) return
  watch = undefined
  signalAlive()
}

function startWatch(): Watch {
  const clock = new Int32Array(new SharedArrayBuffer(12))
  const text = new Uint8Array(new SharedArrayBuffer(maxMessageBytes))
  const limitMs = startSeconds() * 1_000
  new Worker(code, { eval: true, execArgv: [], env: {}, workerData: { clock, text, limitMs, graceMs, idleMs } }).unref()
  return { clock, text }
}
