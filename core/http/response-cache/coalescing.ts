import { AsyncResource } from 'node:async_hooks'

/** Requests for a response that is being made already wait for it: it is made once, however many ask at the same time. */
interface Coalescing {
  /**
   * True where nobody makes the response: the caller does, and calls `end`. Else `again` is called once it is there, or its
   * request failed.
   */
  begin(key: string, again: () => void): boolean
  end(key: string): void
}

export function createCoalescing(): Coalescing {
  const waiting = new Map<string, (() => void)[]>()
  return {
    begin(key, again) {
      const others = waiting.get(key)
      // Each goes on as its own request, not as the one that made the response.
      others?.push(AsyncResource.bind(again))
      if (others === undefined) waiting.set(key, [])
      return others === undefined
    },
    end(key) {
      const others = waiting.get(key) ?? []
      waiting.delete(key)
      for (const again of others) again()
    }
  }
}
