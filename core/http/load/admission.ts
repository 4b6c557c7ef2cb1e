import { UnavailableError } from '../../contract/errors.ts'

export interface AdmissionLimits {
  /** Pieces of work under way at most. */
  readonly atOnce: number
  /** Those that wait for one of them to end at most, and how long. */
  readonly waiting: number
  readonly waitMs: number
}

/** Lets a few in at a time. */
export interface Admission {
  /**
   * Answers what to call when the work is over.
   * @throws UnavailableError when too many wait, it waited too long, or `signal` was aborted meanwhile.
   */
  enter(signal: AbortSignal): Promise<() => void>
}

export function createAdmission({ atOnce, waiting: mostWaiting, waitMs }: AdmissionLimits): Admission {
  // The order of the set is the order of coming.
  const waiting = new Set<() => void>()
  let underWay = 0
  const leaveOnce = () => {
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      underWay -= 1
      const [next] = waiting
      next?.()
    }
  }
  const begin = () => {
    underWay += 1
    return leaveOnce()
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
      const timer = setTimeout(giveUp, waitMs)
      signal.addEventListener('abort', giveUp, { once: true })
      waiting.add(admit)
    })
  return {
    async enter(signal) {
      if (signal.aborted || waiting.size >= mostWaiting) throw busy()
      return underWay < atOnce ? begin() : wait(signal)
    }
  }
}

const busy = () => new UnavailableError('Too many such requests are under way. Try again in a few seconds.')
