/**
 * Requests that ask for the same while it is read share the next execution (request coalescing). None gets what was read
 * before it asked.
 */
export interface SharedExecutions<Value> {
  /** What `execute` answers, or another request's `execute` with this key that began later than this call. */
  run(key: string, execute: () => Promise<Value>): Promise<Value>
}

interface Executions<Value> {
  readonly running: Promise<Value>
  next?: Promise<Value>
}

export function createSharedExecutions<Value>(): SharedExecutions<Value> {
  const executions = new Map<string, Executions<Value>>()
  const start = (key: string, execute: () => Promise<Value>): Promise<Value> => {
    const started: Executions<Value> = {
      running: execute().finally(() => {
        if (started.next === undefined) executions.delete(key)
      })
    }
    executions.set(key, started)
    return started.running
  }
  return {
    run(key, execute) {
      const known = executions.get(key)
      if (known === undefined) return start(key, execute)
      const startNext = () => start(key, execute)
      known.next ??= known.running.then(startNext, startNext)
      return known.next
    }
  }
}
