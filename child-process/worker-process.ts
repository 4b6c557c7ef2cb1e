import type { ChildProcess } from 'node:child_process'
import { setReferenced } from './fork.ts'
import type { WorkerAnswer, WorkerRequest } from './worker-protocol.ts'

/** The work failed, or its process ended. `message` has no full stop. */
export class WorkerError extends Error {
  override readonly name = 'WorkerError'
  /** Of what the work threw; `processEnded` for an end of the process. */
  readonly code: string | undefined

  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}

/** The code of a `WorkerError`: another process may do better. */
export const processEnded = 'PROCESS_ENDED'

/** A process that stays between requests: an engine that takes long to load. */
interface WorkerProcess<Request, Answer> {
  /**
   * @throws WorkerError; the reason of an aborted signal, which ends the process: its work cannot be interrupted otherwise. What
   * others have asked for is then asked of another process
   */
  ask(request: Request, signal: AbortSignal): Promise<Answer>
  /** Ends the process once it has answered what it was asked. The next request starts another. */
  end(): void
}

/** `start` forks a module that calls `answerRequests`. It is called for the first request, and after an end. */
export function createWorkerProcess<Request, Answer>(
  start: () => ChildProcess,
  { maxIdleMs }: { maxIdleMs: number }
): WorkerProcess<Request, Answer> {
  let running: Running<Request, Answer> | undefined
  let idleTimer: NodeJS.Timeout | undefined
  let pending = 0
  const end = () => {
    clearTimeout(idleTimer)
    running?.endWhenIdle()
    running = undefined
  }
  const ask = async (request: Request, signal: AbortSignal): Promise<Answer> => {
    signal.throwIfAborted()
    clearTimeout(idleTimer)
    if (running?.isAlive() !== true) running = track(start())
    const used = running
    pending += 1
    signal.addEventListener('abort', used.kill)
    try {
      return await used.ask(request)
    } catch (error) {
      signal.throwIfAborted()
      if (!used.isKilled()) throw error
      return await ask(request, signal)
    } finally {
      signal.removeEventListener('abort', used.kill)
      clearTimeout(idleTimer)
      idleTimer = setTimeout(() => pending === 0 && end(), maxIdleMs).unref()
      pending -= 1
    }
  }
  return { end, ask }
}

/** A process that has state: it is never replaced. */
export interface WorkerSession<Request, Answer> {
  /** @throws WorkerError, also for each request after its end; the reason of an aborted signal, which ends it */
  ask(request: Request): Promise<Answer>
  /** Ends the process at once. */
  end(): void
}

/** Of a child that was forked with a module that calls `answerRequests`. */
export function startWorkerSession<Request, Answer>(
  child: ChildProcess,
  signal: AbortSignal
): WorkerSession<Request, Answer> {
  const { ask, isAlive, kill } = track<Request, Answer>(child)
  signal.addEventListener('abort', kill)
  if (signal.aborted) kill()
  return {
    async ask(request) {
      signal.throwIfAborted()
      if (!isAlive()) throw new WorkerError('its process has ended', processEnded)
      try {
        return await ask(request)
      } catch (error) {
        signal.throwIfAborted()
        throw error
      }
    },
    end() {
      signal.removeEventListener('abort', kill)
      kill()
    }
  }
}

interface Running<Request, Answer> {
  ask(request: Request): Promise<Answer>
  isAlive(): boolean
  endWhenIdle(): void
  kill(): void
  isKilled(): boolean
}

function track<Request, Answer>(child: ChildProcess): Running<Request, Answer> {
  const waiting = new Map<number, PromiseWithResolvers<Answer>>()
  let last = 0
  let isAlive = true
  let isUnwanted = false
  let isKilled = false
  const kill = () => {
    isAlive = false
    isKilled = true
    child.kill('SIGKILL')
  }
  const rest = () => {
    if (waiting.size > 0) return
    setReferenced(child, false)
    if (isUnwanted) kill()
  }
  const failAll = (reason: string) => {
    isAlive = false
    for (const { reject } of waiting.values()) reject(new WorkerError(reason, processEnded))
    waiting.clear()
  }
  child.on('message', (message: WorkerAnswer<Answer>) => {
    const asked = waiting.get(message.id)
    waiting.delete(message.id)
    rest()
    if (message.kind === 'done') asked?.resolve(message.answer)
    else asked?.reject(new WorkerError(message.message, message.code))
  })
  child.on('error', error => failAll(error.message))
  child.on('exit', (code, signal) => failAll(`its process ended with ${code ?? signal}`))
  return {
    isAlive: () => isAlive,
    kill,
    isKilled: () => isKilled,
    endWhenIdle: () => {
      isUnwanted = true
      rest()
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
