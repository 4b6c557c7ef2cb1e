/** Least recently used entries are evicted beyond a number of entries or characters. */
export interface LruCache<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value, characters: number): void
}

export function createLruCache<Value>(limits: { entries: () => number; characters: number }): LruCache<Value> {
  const entries = new Map<string, { value: Value; characters: number }>()
  let total = 0
  const remove = (key: string) => {
    total -= entries.get(key)?.characters ?? 0
    entries.delete(key)
  }
  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      // A map iterates in insertion order: a used entry moves to the end.
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key, value, characters) {
      remove(key)
      entries.set(key, { value, characters })
      total += characters
      for (const oldest of entries.keys()) {
        if (entries.size <= limits.entries() && total <= limits.characters) return
        remove(oldest)
      }
    }
  }
}
