import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { SmallFile, SmallFileResult } from './small-file.ts'
import type { WrittenFiles } from './write-worker.ts'

/** Compiled, it lies beside this file as JavaScript: the compiler does not rewrite a URL. */
const workerUrl = new URL(`./write-worker${path.extname(import.meta.url)}`, import.meta.url)

/** Starting the thread costs as much as writing some hundreds of files. */
const defaultStartsAfter = 200
const idleMs = 2_000
/** If a file takes longer than this, Node's pool of four threads is faster. The thread pauses for `pauseMs`. */
const defaultSlowMs = 2
const pauseMs = 10_000
/** Judged by no fewer files: the first of a thread takes longer. */
const minJudged = 8
/** In one message: texts are copied into the thread's heap. */
const maxSent = { files: 500, length: 4_000_000 }
const heapMb = 64
/** V8 would let it grow with what goes through. */
const youngHeapMb = 6

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
  resolve(result: SmallFileResult | null): void
}

export function createWriteThread({ startsAfter = defaultStartsAfter, slowMs = defaultSlowMs } = {}): WriteThread {
  let thread: RunningThread | undefined
  let pausedUntil = Number.NEGATIVE_INFINITY
  let asked = { files: 0, at: Number.NEGATIVE_INFINITY }
  const hasMany = (): boolean => {
    const now = performance.now()
    asked = { files: now - asked.at > idleMs ? 1 : asked.files + 1, at: now }
    return asked.files > startsAfter && now >= pausedUntil
  }
  const rest = (): void => {
    pausedUntil = performance.now() + pauseMs
  }
  const start = (): RunningThread => {
    const onEnd = () => {
      if (thread === started) thread = undefined
    }
    const started = startThread({ slowMs, onSlow: rest, onEnd })
    return started
  }
  return {
    async write(file) {
      if (!hasMany()) return null
      try {
        thread ??= start()
      } catch {
        rest()
        return null
      }
      return thread.write(file)
    }
  }
}

interface RunningThread {
  write(file: SmallFile): Promise<SmallFileResult | null>
}

interface ThreadOptions {
  slowMs: number
  onSlow(): void
  onEnd(): void
}

function startThread({ slowMs, onSlow, onEnd }: ThreadOptions): RunningThread {
  // Nothing of this process's environment, which holds keys.
  const worker = new Worker(workerUrl, {
    name: 'files',
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngHeapMb }
  })
  const waiting: Waiting[] = []
  /** Those of the message under way. There is one at most: what comes meanwhile goes together. */
  let sent: Waiting[] = []
  const judge = createJudge(slowMs, onSlow)
  const idle = setTimeout(() => {
    if (sent.length + waiting.length > 0) return void idle.refresh()
    onEnd()
    void worker.terminate()
  }, idleMs).unref()
  const send = (): void => {
    if (sent.length > 0 || waiting.length === 0) return
    sent = waiting.splice(0, countOfMessage(waiting))
    worker.ref()
    worker.postMessage(sent.map(({ file }) => file))
  }
  worker.on('message', ({ results, ms }: WrittenFiles) => {
    const answered = sent
    sent = []
    for (const [at, { resolve }] of answered.entries()) resolve(results[at] ?? null)
    judge(answered.length, ms)
    idle.refresh()
    worker.unref()
    send()
  })
  worker.on('error', onSlow)
  worker.on('exit', () => {
    clearTimeout(idle)
    onEnd()
    // A new file may be there already, and would be taken for somebody else's. Any other is simply written again.
    for (const { file, resolve } of sent.splice(0)) resolve(file.isNew ? { kind: 'unknown' } : null)
    for (const { resolve } of waiting.splice(0)) resolve(null)
  })
  worker.unref()
  return {
    write: file =>
      new Promise(resolve => {
        // A small Buffer is a view of a large one, all of which would be copied.
        const content = typeof file.content === 'string' ? file.content : new Uint8Array(file.content)
        // Those of one turn of the event loop go together.
        if (waiting.length === 0) setImmediate(send)
        waiting.push({ file: { ...file, content }, resolve })
        idle.refresh()
      })
  }
}

/** How many of those that wait go together; at least one. */
function countOfMessage(waiting: readonly Waiting[]): number {
  let count = 0
  let length = 0
  for (const { file } of waiting) {
    length += file.content.length
    if (count > 0 && (count >= maxSent.files || length > maxSent.length)) break
    count += 1
  }
  return count
}

function createJudge(slowMs: number, onSlow: () => void): (files: number, ms: number) => void {
  let judged = { files: 0, ms: 0 }
  return (files, ms) => {
    judged = { files: judged.files + files, ms: judged.ms + ms }
    if (judged.files < minJudged) return
    if (judged.ms > slowMs * judged.files) onSlow()
    judged = { files: 0, ms: 0 }
  }
}
