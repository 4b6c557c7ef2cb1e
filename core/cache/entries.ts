export interface EntryLimits<Value> {
  maxEntries?: () => number
  maxBytes?: () => number
  /** Memory of a value; needed with `maxBytes`. */
  bytesOf?(value: Value, key: string): number
}

interface Entry<Value> {
  value: Value
  bytes: number
  readonly tags: readonly string[]
  /** Set by a read: an entry that was read since the last look at it is not evicted. */
  isUsed: boolean
}

const unlimited = () => Number.POSITIVE_INFINITY

/** Entries up to a number and to an amount of memory. */
export function createEntryStore<Value>({
  maxEntries = unlimited,
  maxBytes = unlimited,
  bytesOf = () => 0
}: EntryLimits<Value>) {
  const entries = new Map<string, Entry<Value>>()
  let bytes = 0
  const remove = (key: string) => {
    bytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }
  /** Second chance: the oldest goes, unless it was read since the last look. */
  const evict = () => {
    for (const [key, entry] of entries) {
      if (entries.size <= maxEntries() && bytes <= maxBytes()) return
      entries.delete(key)
      if (entry.isUsed) entries.set(key, entry)
      else bytes -= entry.bytes
      entry.isUsed = false
    }
  }
  const set = (key: string, value: Value, tags: readonly string[]) => {
    const size = bytesOf(value, key)
    remove(key)
    // One value must not push out most of the others.
    if (size > maxBytes() / 4) return
    entries.set(key, { value, bytes: size, tags, isUsed: false })
    bytes += size
    evict()
  }
  return {
    use(key: string): Entry<Value> | undefined {
      const entry = entries.get(key)
      if (entry !== undefined) entry.isUsed = true
      return entry
    },
    set,
    measure(key: string) {
      const entry = entries.get(key)
      if (entry !== undefined) set(key, entry.value, entry.tags)
    },
    delete: remove,
    deleteOf(tag: string) {
      for (const [key, { tags }] of entries) if (tags.includes(tag)) remove(key)
    },
    clear() {
      entries.clear()
      bytes = 0
    },
    size: () => ({ entries: entries.size, bytes })
  }
}
