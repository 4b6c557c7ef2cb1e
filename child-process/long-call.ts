import os from 'node:os'
import { forkModule, leanMemory, moduleAt, setReferenced } from './fork.ts'
import { isOutOfMemory } from './out-of-memory.ts'

const main = moduleAt('./long-main', import.meta.url)

export interface LongRequest {
  /** Address of the module. */
  module: string
  /** The function it exports: it takes the input, and a function to call with the share that is done. */
  name: string
  input: unknown
}

export type LongMessage<Output = unknown> =
  | { kind: 'progress'; share: number }
  | { kind: 'done'; output: Output }
  | { kind: 'failed'; message: string; code: string | undefined }

export interface LongCallOptions {
  /** Aborted, the process is killed. */
  signal: AbortSignal
  timeoutMs: number
  /** Of its heap; buffers of files are not in it. */
  heapMb: number
  /** Of its process, 0–19; default 19, the lowest priority. */
  niceness?: number
  /** Called with the share that is done, 0–1. */
  onProgress?(share: number): void
}

/** The call failed, or was ended for its time or memory. `message` has no full stop. */
export class LongCallError extends Error {
  override readonly name = 'LongCallError'
  /** Of the system, such as `ENOSPC`; undefined for another fault. */
  readonly code: string | undefined

  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}

/**
 * Calls a function of another module in a process of its own, which has a low priority: what takes seconds takes
 * nothing from those who wait for an answer. The process ends with the call.
 * @throws LongCallError; the reason of an aborted signal
 */
export async function callInProcess<Output>(request: LongRequest, options: LongCallOptions): Promise<Output> {
  const { signal, timeoutMs, heapMb, niceness = os.constants.priority.PRIORITY_LOW, onProgress } = options
  signal.throwIfAborted()
  const child = forkModule(main, { args: [String(niceness)], heapMb, environment: leanMemory })
  setReferenced(child, true)
  const kill = () => void child.kill('SIGKILL')
  const timer = setTimeout(kill, timeoutMs)
  signal.addEventListener('abort', kill)
  try {
    return await new Promise<Output>((resolve, reject) => {
      child.on('message', (message: LongMessage<Output>) => {
        if (message.kind === 'progress') onProgress?.(message.share)
        else if (message.kind === 'failed') reject(new LongCallError(message.message, message.code))
        else resolve(message.output)
      })
      child.on('error', reject)
      child.on('exit', (code, by) => reject(endedBy(code, by, options)))
      child.send(request, error => error === null || reject(error))
    })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', kill)
    kill()
  }
}

function endedBy(code: number | null, by: NodeJS.Signals | null, { timeoutMs, heapMb }: LongCallOptions): Error {
  if (isOutOfMemory(code, by)) return new LongCallError(`it took more than ${heapMb} MB of memory`)
  if (by === 'SIGKILL') return new LongCallError(`it was ended: it took more than ${timeoutMs / 1000} s, or was killed`)
  return new LongCallError(`its process ended with ${code ?? by}`)
}
