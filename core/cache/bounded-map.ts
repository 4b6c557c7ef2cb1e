export interface BoundedMapLimits<Key, Value> {
  maxEntries?: () => number
  maxBytes?: () => number
  /** Memory of a value; needed with `maxBytes`. */
  bytesOf?(value: Value, key: Key): number
  /** Called with each value that leaves: evicted, replaced, deleted or cleared. */
  onRemove?(value: Value): void
}

/** Values by key, up to a number and to an amount of memory. A full map evicts what was not read lately. */
export interface BoundedMap<Key, Value> {
  get(key: Key): Value | undefined
  /** The value. Where there is none, it is computed and stored. */
  getOrCompute(key: Key, compute: (key: Key) => Value): Value
  /** Stores a value, unless it takes more than a quarter of the memory. */
  set(key: Key, value: Value): void
  /** Measures a value again that has changed inside. */
  measure(key: Key): void
  delete(key: Key): void
  /** Deletes the values that `matches` is true of. */
  deleteWhere(matches: (value: Value) => boolean): void
  clear(): void
  size(): { entries: number; bytes: number }
}

interface Entry<Value> {
  readonly value: Value
  readonly bytes: number
  /** Set by a read: an entry that was read since the last look at it is not evicted. */
  isUsed: boolean
}

const unlimited = () => Number.POSITIVE_INFINITY

export function createBoundedMap<Key, Value>(limits: BoundedMapLimits<Key, Value>): BoundedMap<Key, Value> {
  const { entries, set, remove, size } = createEntries(limits)
  const get = (key: Key) => {
    const entry = entries.get(key)
    if (entry === undefined) return undefined
    entry.isUsed = true
    return entry.value
  }
  return {
    get,
    getOrCompute(key, compute) {
      const found = get(key)
      if (found !== undefined) return found
      const value = compute(key)
      set(key, value)
      return value
    },
    set,
    measure(key) {
      const entry = entries.get(key)
      if (entry !== undefined) set(key, entry.value)
    },
    delete(key) {
      const entry = entries.get(key)
      if (entry !== undefined) remove(key, entry)
    },
    deleteWhere(matches) {
      for (const [key, entry] of entries) if (matches(entry.value)) remove(key, entry)
    },
    clear() {
      for (const [key, entry] of entries) remove(key, entry)
    },
    size
  }
}

function createEntries<Key, Value>({
  maxEntries = unlimited,
  maxBytes = unlimited,
  bytesOf = () => 0,
  onRemove
}: BoundedMapLimits<Key, Value>) {
  const entries = new Map<Key, Entry<Value>>()
  // Goes on where it stopped. A new iterator passes all that was deleted since the map was last laid out anew.
  let hand = entries.entries()
  let bytes = 0
  const take = (key: Key, entry: Entry<Value>) => {
    entries.delete(key)
    bytes -= entry.bytes
  }
  const remove = (key: Key, entry: Entry<Value>) => {
    take(key, entry)
    onRemove?.(entry.value)
  }
  /** The clock algorithm: the next one goes, unless it was read since the last look at it. */
  const makeRoom = (size: number) => {
    while (entries.size > 0 && (entries.size >= maxEntries() || bytes + size > maxBytes())) {
      const { value: found } = hand.next()
      if (found === undefined) hand = entries.entries()
      else if (found[1].isUsed) found[1].isUsed = false
      else remove(found[0], found[1])
    }
  }
  const set = (key: Key, value: Value) => {
    const replaced = entries.get(key)
    if (replaced !== undefined) take(key, replaced)
    const size = bytesOf(value, key)
    // One value must not push out most of the others.
    const isStored = maxEntries() >= 1 && size <= maxBytes() / 4
    if (isStored) {
      makeRoom(size)
      entries.set(key, { value, bytes: size, isUsed: false })
      bytes += size
    }
    if (replaced !== undefined && !(isStored && replaced.value === value)) onRemove?.(replaced.value)
  }
  return { entries, set, remove, size: () => ({ entries: entries.size, bytes }) }
}
