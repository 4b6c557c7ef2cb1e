import { hash, randomBytes } from 'node:crypto'
import { createBoundedMap } from '#core'

const windowMs = 60_000
/** Pages that a person opens in a minute at most. An office behind one address has several browsers. */
const maxPages = 60
/** How often a person opens the same page in a minute at most. */
const maxRepeats = 5
/** Beyond so many in one minute those that came once are forgotten. */
const maxEntries = 100_000

/** Finds who opens more pages than a person does. */
export interface Rates {
  /** Counts a view. `visitor`: all that is known of who it is. */
  isImplausible(visitor: string, slug: string): boolean
}

/**
 * Visitors are distinguished by a hash with a salt that lives as long as its day, in this process only: nobody can find an
 * address again, not even with everything that is stored.
 */
export function createRates(now: () => Date): Rates {
  let salt = randomBytes(16).toString('hex')
  let saltDay = ''
  const counts = createBoundedMap<string, { views: number }>({ maxEntries: () => maxEntries })
  let windowStart = 0

  const begin = () => {
    const at = now()
    const day = at.toISOString().slice(0, 10)
    if (day !== saltDay) salt = randomBytes(16).toString('hex')
    saltDay = day
    // A clock that was set back begins a window, too.
    if (Math.abs(at.getTime() - windowStart) < windowMs) return
    counts.clear()
    windowStart = at.getTime()
  }
  const count = (key: string): number => {
    const counter = counts.getOrCompute(key, noViews)
    counter.views += 1
    return counter.views
  }
  return {
    isImplausible(visitor, slug) {
      begin()
      const id = hash('sha256', `${salt} ${visitor}`, 'base64')
      const pages = count(id)
      const repeats = count(`${id} ${slug}`)
      return pages > maxPages || repeats > maxRepeats
    }
  }
}

const noViews = () => ({ views: 0 })
