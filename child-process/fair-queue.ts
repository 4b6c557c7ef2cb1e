/** Calls that may wait, of one client and in all. One client may well write dozens of posts at once. */
export const queueLimits = { maxOfClient: 32, max: 128 }

/** Work that waits, by client. Clients take turns, and each has one piece of work running at a time. */
interface FairQueue<Work> {
  /** False when too many wait already: the work is not taken. */
  add(client: string, work: Work): boolean
  /** The next work of a client that has none running; `end` frees the client. */
  next(): { work: Work; end(): void } | undefined
}

export function createFairQueue<Work>(limits = queueLimits): FairQueue<Work> {
  // The client whose turn is next stands first.
  const waiting = new Map<string, Work[]>()
  const running = new Set<string>()
  let count = 0
  return {
    add(client, work) {
      const own = waiting.get(client) ?? []
      if (count >= limits.max || own.length >= limits.maxOfClient) return false
      waiting.set(client, [...own, work])
      count += 1
      return true
    },
    next() {
      for (const [client, [work, ...others]] of waiting) {
        if (work === undefined || running.has(client)) continue
        waiting.delete(client)
        if (others.length > 0) waiting.set(client, others)
        running.add(client)
        count -= 1
        return { work, end: () => void running.delete(client) }
      }
      return undefined
    }
  }
}
