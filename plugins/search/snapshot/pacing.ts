import { setImmediate } from 'node:timers/promises'
import type { Deadline } from '../deadline.ts'

/** Divides the work of one search into steps, until its time is up. */
export interface Pacing {
  /** So many postings were read. After some of them the event loop goes on and the time is looked at. */
  spend(postings: number): Promise<void>
  /** False when the time is up: what is asked for is left out, and the search is cut short. */
  hasTime(): boolean
  /** The same for a statement, as the clock says now. */
  hasTimeToRead(): boolean
  /** What of the time is left for one of several statements, in milliseconds. */
  statementMs(): number
  /** Something was left out. */
  isCutShort(): boolean
}

/** Of the time. The rest is for ranking what was read, and for the page: at most a quarter as long as reading, when lists are long. */
const readingShare = 0.7
/** Of what is left: a statement may take longer than those before. */
const statementShare = 1 / 3

interface PacingOptions {
  deadline: Pick<Deadline, 'leftMs'> | undefined
  postingsPerPause: number
}

export function createPacing({ deadline, postingsPerPause }: PacingOptions): Pacing {
  let spent = 0
  let isLate = false
  let isCutShort = false
  const leftMs = () => deadline?.leftMs(readingShare) ?? Number.POSITIVE_INFINITY
  return {
    async spend(postings) {
      spent += postings
      if (spent < postingsPerPause) return
      spent = 0
      await setImmediate()
      isLate = leftMs() <= 0
    },
    hasTime() {
      isCutShort ||= isLate
      return !isLate
    },
    hasTimeToRead() {
      const hasTime = leftMs() > 0
      isCutShort ||= !hasTime
      return hasTime
    },
    statementMs: () => leftMs() * statementShare,
    isCutShort: () => isCutShort
  }
}
