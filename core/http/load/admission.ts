import { UnavailableError } from '../../contract/errors.ts'

export interface AdmissionLimits {
  readonly maxRunning: number
  readonly maxWaiting: number
  readonly maxWaitMs: number
}

/** Runs a few pieces of work at a time; others wait for them. */
export interface Admission {
  /**
   * Resolves when the work may begin, with what to call at its end.
   * @throws UnavailableError when too many wait, it waited too long, or `signal` was aborted meanwhile.
   */
  enter(signal: AbortSignal): Promise<() => void>
}

export function createAdmission({ maxRunning, maxWaiting, maxWaitMs }: AdmissionLimits): Admission {
  // In the order of arrival.
  const waiting = new Set<() => void>()
  let running = 0
  const leave = () => {
    running -= 1
    const [next] = waiting
    next?.()
  }
  const begin = () => {
    running += 1
    return once(leave)
  }
  const wait = (signal: AbortSignal) =>
    new Promise<() => void>((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        waiting.delete(admit)
        signal.removeEventListener('abort', giveUp)
      }
      const giveUp = () => {
        end()
        reject(busy())
      }
      const admit = () => {
        end()
        resolve(begin())
      }
      const timer = setTimeout(giveUp, maxWaitMs)
      signal.addEventListener('abort', giveUp, { once: true })
      waiting.add(admit)
    })
  return {
    async enter(signal) {
      if (signal.aborted || waiting.size >= maxWaiting) throw busy()
      return running < maxRunning ? begin() : wait(signal)
    }
  }
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}

const busy = () => new UnavailableError('Too many such requests are under way. Try again in a few seconds.')
