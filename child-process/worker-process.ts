import type { ChildProcess } from 'node:child_process'
import { setReferenced } from './fork.ts'
import type { WorkerAnswer, WorkerRequest } from './worker-protocol.ts'

/** The work failed, or its process ended. `message` has no full stop. */
export class WorkerError extends Error {
  override readonly name = 'WorkerError'
  /** Of what the work threw; undefined for an end of the process. */
  readonly code: string | undefined

  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}

/** A process that stays between requests: an engine that takes long to load. */
export interface WorkerProcess<Request, Answer> {
  /** @throws WorkerError; the reason of an aborted signal, which ends the process: its work cannot be interrupted otherwise */
  ask(request: Request, signal: AbortSignal): Promise<Answer>
  /** Ends the process; the next request starts another. */
  end(): void
}

/** `start` forks a module that calls `answerRequests`. It is called for the first request, and after an end. */
export function createWorkerProcess<Request, Answer>(
  start: () => ChildProcess,
  { maxIdleMs }: { maxIdleMs: number }
): WorkerProcess<Request, Answer> {
  let running: Running<Request, Answer> | undefined
  let idleTimer: NodeJS.Timeout | undefined
  const end = () => {
    clearTimeout(idleTimer)
    running?.end()
  }
  return {
    end,
    ask: async (request, signal) => {
      signal.throwIfAborted()
      clearTimeout(idleTimer)
      if (running?.isAlive() !== true) running = track(start())
      const used = running
      const abort = () => used.end()
      signal.addEventListener('abort', abort)
      try {
        return await used.ask(request)
      } catch (error) {
        signal.throwIfAborted()
        throw error
      } finally {
        signal.removeEventListener('abort', abort)
        clearTimeout(idleTimer)
        idleTimer = setTimeout(() => used.isIdle() && used.end(), maxIdleMs).unref()
      }
    }
  }
}

interface Running<Request, Answer> {
  ask(request: Request): Promise<Answer>
  isAlive(): boolean
  isIdle(): boolean
  end(): void
}

function track<Request, Answer>(child: ChildProcess): Running<Request, Answer> {
  const waiting = new Map<number, PromiseWithResolvers<Answer>>()
  let last = 0
  let isAlive = true
  const failAll = (reason: string) => {
    isAlive = false
    for (const { reject } of waiting.values()) reject(new WorkerError(reason))
    waiting.clear()
  }
  child.on('message', (message: WorkerAnswer<Answer>) => {
    const asked = waiting.get(message.id)
    waiting.delete(message.id)
    if (waiting.size === 0) setReferenced(child, false)
    if (message.kind === 'done') asked?.resolve(message.answer)
    else asked?.reject(new WorkerError(message.message, message.code))
  })
  child.on('error', error => failAll(error.message))
  child.on('exit', (code, signal) => failAll(`its process ended with ${code ?? signal}`))
  return {
    isAlive: () => isAlive,
    isIdle: () => waiting.size === 0,
    end: () => {
      isAlive = false
      child.kill('SIGKILL')
    },
    ask: request => {
      const asked = Promise.withResolvers<Answer>()
      waiting.set(++last, asked)
      setReferenced(child, true)
      child.send({ id: last, request } satisfies WorkerRequest<Request>, error => {
        if (error !== null) failAll(error.message)
      })
      return asked.promise
    }
  }
}
