// The side of a worker process: see worker-process.ts.
import { errorCode, messageOf } from '#core/unknown'
import type { WorkerAnswer, WorkerRequest } from './worker-protocol.ts'

/** Answers each request of the parent, one after the other. */
export function answerRequests<Request, Answer>(work: (request: Request) => Answer | Promise<Answer>): void {
  const send = (answer: WorkerAnswer<Answer>) => process.send?.(answer)
  const answer = async ({ id, request }: WorkerRequest<Request>) => {
    try {
      send({ kind: 'done', id, answer: await work(request) })
    } catch (error) {
      send({ kind: 'failed', id, message: messageOf(error), code: errorCode(error) })
    }
  }
  let last = Promise.resolve()
  process.on('message', (request: WorkerRequest<Request>) => {
    last = last.then(() => answer(request))
  })
}
