import { AsyncLocalStorage } from 'node:async_hooks'
import { UnavailableError } from '../../../core/contract/errors.ts'
import { type Lane, lanes } from '../../../core/db/lanes.ts'
import { laneLimits } from '../lane-limits.ts'

/**
 * Runs one piece of work at a time: lanes with work waiting take turns, and in each it is first come, first served.
 * @throws UnavailableError when it waited longer than its lane allows, or `signal` was aborted before it began.
 */
type LaneScheduler = <T>(lane: Lane, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

interface Waiting {
  begin(): Promise<unknown>
}

export function createLaneScheduler(): LaneScheduler {
  const { queueOf, takeNext } = createQueues()
  let isBusy = false
  const run = async () => {
    isBusy = true
    for (let next = takeNext(); next !== undefined; next = takeNext()) await next.begin()
    isBusy = false
  }
  return <T>(lane: Lane, work: () => Promise<T>, signal?: AbortSignal) => {
    if (signal?.aborted) return Promise.reject<T>(cancelled())
    const queue = queueOf(lane)
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    // The work that ends before it begins it: the async context of its own caller is kept.
    const inContext = AsyncLocalStorage.snapshot()
    const waiting: Waiting = {
      begin: () => {
        stopWaiting()
        return inContext(work).then(resolve, reject)
      }
    }
    const drop = (error: UnavailableError) => {
      stopWaiting()
      queue.delete(waiting)
      reject(error)
    }
    const isAborted = () => drop(cancelled())
    const timer = lane === 'work' || !isBusy ? undefined : setTimeout(() => drop(overloaded()), laneLimits[lane].waitMs)
    const stopWaiting = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', isAborted)
    }
    signal?.addEventListener('abort', isAborted, { once: true })
    queue.add(waiting)
    if (!isBusy) void run()
    return promise
  }
}

/** What waits, by lane. The lanes take turns. */
function createQueues() {
  const queues = new Map<Lane, Set<Waiting>>(lanes.map(lane => [lane, new Set()]))
  let last = -1
  const queueOf = (lane: Lane) => queues.get(lane) as Set<Waiting>
  return {
    queueOf,
    takeNext(): Waiting | undefined {
      for (let step = 1; step <= lanes.length; step++) {
        const at = (last + step) % lanes.length
        const queue = queueOf(lanes[at] as Lane)
        const [first] = queue
        if (first === undefined) continue
        queue.delete(first)
        last = at
        return first
      }
      return undefined
    }
  }
}

const cancelled = () => new UnavailableError('The request was cancelled or timed out.')
const overloaded = () => new UnavailableError('The database is overloaded. Try again in a few seconds.')
