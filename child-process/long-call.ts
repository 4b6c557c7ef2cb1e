import os from 'node:os'
import { forkModule, lowMemoryEnv, moduleAt, setReferenced } from './fork.ts'
import { isOutOfMemory } from './out-of-memory.ts'

const main = moduleAt('./long-main', import.meta.url)

export interface LongRequest {
  /** Address of the module. */
  module: string
  /**
   * The function it exports: it takes the input, and a function to call with the share that is done. Whatever it does without a pause
   * calls that often: it does not return where this process has ended.
   */
  name: string
  input: unknown
}

/** As it is sent: with the process that waits for the answer. */
export interface SentLongRequest extends LongRequest {
  parentPid: number
}

export type LongMessage<Output = unknown> =
  | { kind: 'progress'; share: number }
  | { kind: 'done'; output: Output }
  | { kind: 'failed'; message: string; code: string | undefined }

interface LongCallOptions {
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
  /** It was ended for its time. */
  readonly isTimeout: boolean

  constructor(message: string, { code, isTimeout = false }: { code?: string | undefined; isTimeout?: boolean } = {}) {
    super(message)
    this.code = code
    this.isTimeout = isTimeout
  }
}

/** A priority and the time that a call is given at it. */
export interface CallBudget {
  niceness: number
  timeoutMs: number
}

/**
 * The same at several priorities in turn. On a machine that others keep busy, the lowest one may get next to nothing of the
 * processor: a call that was ended for its time is made anew at the next. @throws as `callInProcess`, after the last one
 */
export async function callWithinBudgets<Output>(
  request: LongRequest,
  options: Omit<LongCallOptions, keyof CallBudget>,
  budgets: readonly [CallBudget, ...CallBudget[]]
): Promise<Output> {
  const [first, ...others] = budgets
  try {
    return await callInProcess<Output>(request, { ...options, ...first })
  } catch (error) {
    const [next, ...rest] = others
    if (next === undefined || !(error instanceof LongCallError && error.isTimeout)) throw error
    return callWithinBudgets(request, options, [next, ...rest])
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
  const child = forkModule(main, { heapMb, niceness, environment: lowMemoryEnv })
  setReferenced(child, true)
  let isTimeout = false
  const kill = () => void child.kill('SIGKILL')
  const timer = setTimeout(() => {
    isTimeout = true
    kill()
  }, timeoutMs)
  signal.addEventListener('abort', kill)
  try {
    return await new Promise<Output>((resolve, reject) => {
      child.on('message', (message: LongMessage<Output>) => {
        if (message.kind === 'progress') onProgress?.(message.share)
        else if (message.kind === 'failed') reject(new LongCallError(message.message, { code: message.code }))
        else resolve(message.output)
      })
      child.on('error', reject)
      child.on('exit', (code, by) => reject(isTimeout ? tookTooLong(timeoutMs) : endedBy(code, by, heapMb)))
      child.send(
        { ...request, parentPid: process.pid } satisfies SentLongRequest,
        error => error === null || reject(error)
      )
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

const tookTooLong = (timeoutMs: number) =>
  new LongCallError(`it took more than ${Math.round(timeoutMs / 1000)} s, so that it was ended`, { isTimeout: true })

function endedBy(code: number | null, by: NodeJS.Signals | null, heapMb: number): LongCallError {
  if (isOutOfMemory(code, by)) return new LongCallError(`it took more than ${heapMb} MB of memory`)
  return new LongCallError(by === 'SIGKILL' ? 'its process was killed' : `its process ended with ${code ?? by}`)
}
