/** Calls for a key during a run share the next run of it (request coalescing). None gets what was read before it asked. */
export interface SharedRuns<Value> {
  /** What `work` answers, or the `work` of another call for this key that began later than this call. */
  run(key: string, work: () => Promise<Value>): Promise<Value>
}

interface Runs<Value> {
  readonly current: Promise<Value>
  next?: Promise<Value>
}

export function createSharedRuns<Value>(): SharedRuns<Value> {
  const running = new Map<string, Runs<Value>>()
  const start = (key: string, work: () => Promise<Value>): Promise<Value> => {
    const started: Runs<Value> = {
      current: work().finally(() => {
        if (started.next === undefined) running.delete(key)
      })
    }
    running.set(key, started)
    return started.current
  }
  return {
    run(key, work) {
      const known = running.get(key)
      if (known === undefined) return start(key, work)
      const startNext = () => start(key, work)
      known.next ??= known.current.then(startNext, startNext)
      return known.next
    }
  }
}
