import { type Changes, createCache, type Db } from '#core'
import { postsCacheTag } from '../cache-tags.ts'
import { msUntilNextPublication } from '../repository/lists.ts'

/** When the next post reaches its slot: what readers see changes then, though no row does. */
export interface NextPublication {
  /** Reads it, so that `at` knows it; undefined when it is known. */
  read(): Promise<void> | undefined
  /** Null when no post waits for its slot; the past when it is not known. */
  at(): Date | null
  /** Forgets a time that has come, and calls back what depends on it. */
  check(): void
  onReached(invalidate: () => void): void
}

/** Cached in this process until a post changes or the time has come. */
export function createNextPublication({
  db,
  changes,
  now
}: {
  db: Db
  changes: Changes
  now: () => Date
}): NextPublication {
  const times = createCache<{ at: Date | null }>({ changes, tags: [postsCacheTag] })
  const known = () => times.get('next')
  const listeners: (() => void)[] = []
  const check = () => {
    const at = known()?.at
    if (at == null || at > now()) return
    times.invalidate()
    for (const invalidate of listeners) invalidate()
  }
  const find = async () => {
    const ms = await msUntilNextPublication(db)
    // The database's clock says how long, this process's clock when: they need not agree.
    return { at: ms === null ? null : new Date(now().getTime() + ms) }
  }
  return {
    read() {
      check()
      if (known() !== undefined || !changes.isCurrent()) return undefined
      return times.load('next', find).then(() => undefined)
    },
    at() {
      const time = known()
      return time === undefined ? new Date(0) : time.at
    },
    check,
    onReached: invalidate => void listeners.push(invalidate)
  }
}
