/** Who waits: so many of one client, which may well write dozens of posts at once, and so many in all. */
export const longestQueue = { ofClient: 32, ofAll: 128 }

/** Work that waits, by client: each gets its turn however much another has brought, and has one at work at a time. */
export interface ClientTurns<Work> {
  /** False when too many wait already: the work is not taken. */
  add(client: string, work: Work): boolean
  /** The next work of a client that has none at work; `end` frees the client. */
  next(): { work: Work; end(): void } | undefined
}

export function createClientTurns<Work>(most = longestQueue): ClientTurns<Work> {
  // Whose turn is next stands first.
  const waiting = new Map<string, Work[]>()
  const atWork = new Set<string>()
  let count = 0
  return {
    add(client, work) {
      const own = waiting.get(client) ?? []
      if (count >= most.ofAll || own.length >= most.ofClient) return false
      waiting.set(client, [...own, work])
      count += 1
      return true
    },
    next() {
      const client = [...waiting.keys()].find(each => !atWork.has(each))
      if (client === undefined) return undefined
      const [work, ...others] = waiting.get(client) as [Work, ...Work[]]
      waiting.delete(client)
      if (others.length > 0) waiting.set(client, others)
      atWork.add(client)
      count -= 1
      return { work, end: () => void atWork.delete(client) }
    }
  }
}
