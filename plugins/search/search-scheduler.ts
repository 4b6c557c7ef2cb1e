import { UnavailableError } from '#core'
import { type Deadline, deadlineOf } from './deadline.ts'

/** The searches of a process run a few at a time. While others wait, each has a part of the time. */
export interface SearchScheduler {
  /**
   * Does the work once it may run. The deadline it is given passes before the search's own where others wait. One whose time is
   * over by then gets a little all the same: to find something late is better than to be refused.
   * @throws UnavailableError when the signal of the deadline is aborted before that
   */
  run<T>(deadline: Deadline, work: (deadline: Deadline) => Promise<T>): Promise<T>
}

interface SchedulerOptions {
  /** Of the searches that run and wait, so many run: one computes while the database answers others. */
  maxRunning?: number
  /** However many wait, a search has so long: it finds the posts of a few words. */
  minMs?: number
}

export function createSearchScheduler({ maxRunning = 3, minMs = 12 }: SchedulerOptions = {}): SearchScheduler {
  // In the order of arrival.
  const waiting = new Set<() => void>()
  let running = 0
  const share = () => Math.min(1, maxRunning / (running + waiting.size))
  const entered = async (deadline: Deadline) => {
    if (running < maxRunning) running += 1
    else await turnOf(waiting, deadline)
  }
  const leave = () => {
    const [next] = waiting
    // The next one runs in its place.
    if (next === undefined) running -= 1
    else next()
  }
  return {
    async run(deadline, work) {
      const whole = deadline.leftMs()
      await entered(deadline)
      try {
        const begin = performance.now()
        const end = begin + deadline.leftMs()
        const ms = () => Math.max(minMs, Math.min(end - begin, whole * share()))
        const endOf = (part: number) => begin + part * ms()
        return await work(deadlineOf(() => deadline.signal, endOf))
      } finally {
        leave()
      }
    }
  }
}

function turnOf(waiting: Set<() => void>, { signal }: Deadline): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      waiting.delete(begin)
      signal.removeEventListener('abort', giveUp)
    }
    const begin = () => {
      end()
      resolve()
    }
    const giveUp = () => {
      end()
      reject(new UnavailableError('Too many searches are under way. Try again in a few seconds.'))
    }
    signal.addEventListener('abort', giveUp, { once: true })
    waiting.add(begin)
    if (signal.aborted) giveUp()
  })
}
