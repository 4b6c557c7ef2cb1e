/** Remembers what was used last, up to a number of entries and of characters. */
export interface Recent<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value, characters: number): void
}

export function createRecent<Value>(limits: { entries: () => number; characters: number }): Recent<Value> {
  const kept = new Map<string, { value: Value; characters: number }>()
  let total = 0
  const remove = (key: string) => {
    total -= kept.get(key)?.characters ?? 0
    kept.delete(key)
  }
  return {
    get(key) {
      const entry = kept.get(key)
      if (entry === undefined) return undefined
      // The map keeps the order of insertion: what is used moves to its end.
      kept.delete(key)
      kept.set(key, entry)
      return entry.value
    },
    set(key, value, characters) {
      remove(key)
      kept.set(key, { value, characters })
      total += characters
      for (const oldest of kept.keys()) {
        if (kept.size <= limits.entries() && total <= limits.characters) return
        remove(oldest)
      }
    }
  }
}
