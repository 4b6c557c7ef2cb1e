import { setTimeout } from 'node:timers/promises'

/** The searches of this process, and long work that pauses for them. */
export interface SearchTraffic {
  /** Runs a search that somebody waits for. */
  search<T>(work: () => Promise<T>): Promise<T>
  /** For one piece of long work that nobody waits for. */
  throttle(signal: AbortSignal): Throttle
}

/**
 * Awaited before each part of long work. While posts are searched, it pauses many times as long as the last part took, and a few
 * seconds at most. Where it `isUrgent` by then, the pause ends. @throws the abort reason
 */
export type Throttle = (isUrgent?: () => Promise<boolean>) => Promise<void>

/** Nobody has searched for so long: the work goes on at once. */
const quietMs = 250
/** Of the time of the one thread, the work takes a twentieth. A part may take as long as several searches. */
const pausePerWork = 20
const maxPauseMs = 5_000
const lookEveryMs = 50

/** In ms, from any moment on. */
interface TrafficClock {
  now(): number
  /** @throws the abort reason */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

const processClock: TrafficClock = {
  now: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal })
}

export function createSearchTraffic({ now, sleep } = processClock): SearchTraffic {
  let running = 0
  let endedAt = Number.NEGATIVE_INFINITY
  const isBusy = () => running > 0 || now() - endedAt < quietMs
  return {
    async search(work) {
      running += 1
      try {
        return await work()
      } finally {
        running -= 1
        endedAt = now()
      }
    },
    throttle(signal) {
      let begunAt = now()
      return async isUrgent => {
        signal.throwIfAborted()
        const stoppedAt = now()
        const pauseMs = Math.min(pausePerWork * (stoppedAt - begunAt), maxPauseMs)
        while (isBusy() && now() - stoppedAt < pauseMs) {
          if ((await isUrgent?.()) === true) break
          await sleep(lookEveryMs, signal)
        }
        begunAt = now()
      }
    }
  }
}
