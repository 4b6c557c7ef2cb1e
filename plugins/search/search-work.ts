import os from 'node:os'
import { forkModule, lowMemoryEnv } from '#child-process/fork'
import { startWorkerSession, WorkerError, type WorkerSession } from '#child-process/worker-process'

interface SearchWorkOptions {
  heapMb: number
  signal: AbortSignal
}

/**
 * Starts a process for one run of long work on the index. Its memory goes back to the system when it ends, and whoever searches
 * goes first. It has state, so that it is never replaced: once it was killed, each request fails, and the run begins anew later.
 */
export function startSearchWork<Request, Answer>(
  main: URL,
  { heapMb, signal }: SearchWorkOptions
): WorkerSession<Request, Answer> {
  const niceness = os.constants.priority.PRIORITY_BELOW_NORMAL
  const session = startWorkerSession<Request, Answer>(
    forkModule(main, { heapMb, niceness, environment: lowMemoryEnv }),
    signal
  )
  return {
    end: session.end,
    ask: request =>
      session.ask(request).catch(error => {
        if (!(error instanceof WorkerError)) throw error
        throw new Error(`The search index was not brought up to date: ${error.message}. The next run goes on.`, {
          cause: error
        })
      })
  }
}
