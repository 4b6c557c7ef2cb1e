import { Worker } from 'node:worker_threads'
import { startSeconds } from './deadline.ts'

/** A process that still has turns to give keeps the limit itself, and tells more. */
const graceMs = 1_000
const beatMs = 250
/** Then the thread ends: the next step starts another. */
const idleMs = 5_000
const longestText = 4_000

// Places in `clock`: turns, bytes of the text (0: nothing runs), and whether the thread is gone.
const code = `
const { writeSync } = require('node:fs')
const { workerData: { clock, text, limitMs, graceMs, idleMs } } = require('node:worker_threads')
for (;;) {
  const turn = Atomics.load(clock, 0)
  const length = Atomics.load(clock, 1)
  if (Atomics.wait(clock, 0, turn, length > 0 ? limitMs : idleMs) !== 'timed-out') continue
  if (length > 0) {
    // A process that was stopped for a while, or its machine, gets a turn first.
    if (Atomics.wait(clock, 0, turn, graceMs) !== 'timed-out') continue
    try {
      writeSync(2, Buffer.from(text.slice(0, length)))
    } finally {
      process.kill(process.pid, 'SIGKILL')
    }
  }
  Atomics.store(clock, 2, 1)
  if (Atomics.load(clock, 0) === turn) break
  Atomics.store(clock, 2, 0)
}`

interface Watch {
  clock: Int32Array
  text: Uint8Array
}

const texts: { words: string }[] = []
let watch: Watch | undefined
let beat: NodeJS.Timeout | undefined

/**
 * Work begins that may loop where the engine cannot end it, such as after something awaited. While the process gives no
 * turn for longer than a step may take, a thread writes `words` to stderr and ends it. Answers what to call at the end.
 */
export function watchFor(words: string): () => void {
  const one = { words }
  texts.push(one)
  beat ??= setInterval(tell, beatMs).unref()
  tell()
  return () => {
    texts.splice(texts.indexOf(one), 1)
    tell()
    if (texts.length > 0) return
    clearInterval(beat)
    beat = undefined
  }
}

/** Says that this thread is alive, and what it is at. */
function tell(): void {
  watch ??= startWatch()
  const { clock, text } = watch
  const { written } = new TextEncoder().encodeInto(texts.at(-1)?.words ?? '', text)
  Atomics.store(clock, 1, written)
  Atomics.add(clock, 0, 1)
  Atomics.notify(clock, 0)
  // Asked last: a thread that leaves looks for a new turn after it has said so.
  if (written === 0 || Atomics.load(clock, 2) === 0) return
  watch = undefined
  tell()
}

function startWatch(): Watch {
  const clock = new Int32Array(new SharedArrayBuffer(12))
  const text = new Uint8Array(new SharedArrayBuffer(longestText))
  const limitMs = startSeconds() * 1_000
  new Worker(code, { eval: true, execArgv: [], env: {}, workerData: { clock, text, limitMs, graceMs, idleMs } }).unref()
  return { clock, text }
}
