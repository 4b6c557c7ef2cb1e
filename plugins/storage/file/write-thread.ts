import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { SmallFile, SmallFileResult } from './small-file.ts'
import type { WrittenFiles } from './write-worker.ts'

/** Compiled, it lies beside this file as JavaScript: the compiler does not rewrite a URL. */
const workerUrl = new URL(`./write-worker${path.extname(import.meta.url)}`, import.meta.url)

/** A start takes as long as some hundreds of files. */
const defaultStartsAfter = 200
const idleMs = 2_000
/** Where a file takes so long, the threads of Node's own are sooner: they work at four. It is tried again after a rest. */
const slowMs = 2
/** The first file of a thread takes longer. */
const minJudged = 8
const restMs = 10_000
/** The content of files comes from outside of its heap. */
const heapMb = 32

/**
 * Writes many small files in a thread, one after the other. Each step of a file wakes a thread of Node's own otherwise, which
 * takes two to four times the processor time of the step.
 */
export interface WriteThread {
  /** Null: not written. It has few files to write, its disk is slow, or it has ended; the caller writes the file itself. */
  write(file: SmallFile): Promise<SmallFileResult | null>
}

interface Waiting {
  file: SmallFile
  /** Of its content, which is moved to the thread. */
  buffer: ArrayBuffer
  resolve(result: SmallFileResult | null): void
}

export function createWriteThread({ startsAfter = defaultStartsAfter } = {}): WriteThread {
  let thread: RunningThread | undefined
  let restsUntil = Number.NEGATIVE_INFINITY
  let asked = { files: 0, at: Number.NEGATIVE_INFINITY }
  const hasMany = (): boolean => {
    const now = performance.now()
    asked = { files: now - asked.at > idleMs ? 1 : asked.files + 1, at: now }
    return asked.files > startsAfter && now >= restsUntil
  }
  const rest = (): void => {
    restsUntil = performance.now() + restMs
  }
  return {
    async write(file) {
      if (!hasMany()) return null
      if (thread === undefined) {
        const started = startThread({ onSlow: rest, onEnd: () => (thread = thread === started ? undefined : thread) })
        thread = started
      }
      return thread.write(file)
    }
  }
}

/** Of a file that may be written or not. */
const ended: SmallFileResult = { kind: 'failed', message: 'The thread that writes files has ended.', cause: {} }

interface RunningThread {
  write(file: SmallFile): Promise<SmallFileResult | null>
}

function startThread({ onSlow, onEnd }: { onSlow(): void; onEnd(): void }): RunningThread {
  // Nothing of this process's environment, which holds keys.
  const worker = new Worker(workerUrl, {
    name: 'files',
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMb }
  })
  let next: Waiting[] = []
  /** Those of each message that is not answered, in their order. */
  const sent: Waiting[][] = []
  const idle = setTimeout(() => {
    if (sent.length > 0) return void idle.refresh()
    onEnd()
    void worker.terminate()
  }, idleMs).unref()
  const send = (): void => {
    const going = next
    next = []
    sent.push(going)
    worker.ref()
    worker.postMessage(
      going.map(({ file }) => file),
      going.map(({ buffer }) => buffer)
    )
  }
  worker.on('message', ({ results, ms }: WrittenFiles) => {
    for (const [at, { resolve }] of (sent.shift() ?? []).entries()) resolve(results[at] ?? null)
    if (results.length >= minJudged && ms > slowMs * results.length) onSlow()
    if (sent.length === 0) worker.unref()
    idle.refresh()
  })
  const end = (): void => {
    clearTimeout(idle)
    onEnd()
    for (const { resolve } of sent.splice(0).flat()) resolve(ended)
    for (const { resolve } of next.splice(0)) resolve(null)
  }
  worker.on('error', onSlow)
  worker.on('exit', end)
  worker.unref()
  return {
    write: file =>
      new Promise(resolve => {
        const content = Uint8Array.from(file.content)
        // Those of one turn of the event loop go together.
        if (next.length === 0) setImmediate(send)
        next.push({ file: { ...file, content }, buffer: content.buffer, resolve })
        idle.refresh()
      })
  }
}
