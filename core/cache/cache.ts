import type { Changes } from './contract/changes.ts'

/** Keeps a value under a key. Does nothing if a topic changed since `begin`. */
export type Store<Value> = (key: string, value: Value) => void

/** Values of this process by key. Bounded; what a change may have made wrong is never returned. */
export interface Cache<Value> {
  /** Undefined where there is none, and while a change made elsewhere could be unknown here. */
  get(key: string): Value | undefined
  /** Call before reading what values are made of. `topics`: those of the cache, unless told otherwise. */
  begin(topics?: readonly string[]): Store<Value>
  /** The value, made if there is none. Who asks for the same key meanwhile gets the same promise. */
  load(key: string, make: () => Promise<Value>): Promise<Value>
  /** The values of many keys. `make` is called once, with those that there are none of; a key it leaves out has no value. */
  loadMany(
    keys: readonly string[],
    make: (missing: readonly string[]) => Promise<ReadonlyMap<string, Value>>
  ): Promise<Map<string, Value>>
  /** Measures a value again that has changed inside. */
  measure(key: string): void
  delete(key: string): void
  /** Removes what depends on a topic; without one, everything. Values being made now are not stored either. */
  invalidate(topic?: string): void
  size(): { entries: number; bytes: number }
}

export interface CacheOptions<Value> {
  /** Without it nothing is invalidated but by hand. */
  changes?: Pick<Changes, 'on' | 'isCurrent'>
  /** Topics of `changes` that every value depends on. */
  topics?: readonly string[]
  maxEntries?: () => number
  maxBytes?: () => number
  /** Memory of a value; needed with `maxBytes`. */
  bytesOf?(value: Value, key: string): number
}

interface Entry<Value> {
  value: Value
  bytes: number
  readonly topics: readonly string[]
  /** Set when it is read: an entry that was used since it was last looked at is not evicted. */
  isUsed: boolean
}

const unlimited = () => Number.POSITIVE_INFINITY

export function createCache<Value>(options: CacheOptions<Value>): Cache<Value> {
  const { changes, topics: usual = [] } = options
  const entries = createEntries(options)
  const generations = createGenerations(changes, topic => entries.deleteOf(topic))
  generations.follow(usual)
  const flights = new Map<string, { isOutdated(): boolean; value: Promise<Value> }>()
  const isCurrent = () => changes === undefined || changes.isCurrent()

  const get = (key: string) => {
    const entry = entries.use(key)
    return entry !== undefined && isCurrent() ? entry.value : undefined
  }
  const begin = (topics = usual): Store<Value> => {
    generations.follow(topics)
    const isOutdated = generations.watch(topics)
    const wasCurrent = isCurrent()
    return (key, value) => {
      if (wasCurrent && !isOutdated()) entries.set(key, value, topics)
    }
  }
  const make = async (key: string, read: () => Promise<Value>) => {
    const store = begin()
    const value = await read()
    store(key, value)
    return value
  }
  return {
    get,
    begin,
    async load(key, read) {
      const known = get(key)
      if (known !== undefined) return known
      const flight = flights.get(key)
      if (flight !== undefined && !flight.isOutdated() && isCurrent()) return flight.value
      const next = { isOutdated: generations.watch(usual), value: make(key, read) }
      flights.set(key, next)
      try {
        return await next.value
      } finally {
        if (flights.get(key) === next) flights.delete(key)
      }
    },
    async loadMany(keys, read) {
      const known = new Map<string, Value>()
      const missing: string[] = []
      for (const key of new Set(keys)) {
        const value = get(key)
        if (value === undefined) missing.push(key)
        else known.set(key, value)
      }
      if (missing.length === 0) return known
      const store = begin()
      for (const [key, value] of await read(missing)) {
        store(key, value)
        known.set(key, value)
      }
      return known
    },
    measure: entries.measure,
    delete: entries.delete,
    invalidate(topic) {
      generations.advance(topic)
      if (topic === undefined) entries.clear()
      else entries.deleteOf(topic)
    },
    size: entries.size
  }
}

/** Counts the changes of topics, to tell what was read before one and finished after it. */
function createGenerations(changes: CacheOptions<never>['changes'], onChange: (topic: string) => void) {
  const counts = new Map<string, number>()
  const followed = new Set<string>()
  let all = 0
  const advance = (topic: string) => void counts.set(topic, (counts.get(topic) ?? 0) + 1)
  const sum = (topics: readonly string[]) => topics.reduce((total, topic) => total + (counts.get(topic) ?? 0), all)
  return {
    follow(topics: readonly string[]) {
      for (const topic of topics) {
        if (followed.has(topic)) continue
        followed.add(topic)
        changes?.on(topic, () => {
          advance(topic)
          onChange(topic)
        })
      }
    },
    advance(topic: string | undefined) {
      if (topic === undefined) all += 1
      else advance(topic)
    },
    /** True from the first change on. */
    watch(topics: readonly string[]): () => boolean {
      const begun = sum(topics)
      return () => sum(topics) !== begun
    }
  }
}

/** Entries up to a number and to an amount of memory. */
function createEntries<Value>({
  maxEntries = unlimited,
  maxBytes = unlimited,
  bytesOf = () => 0
}: CacheOptions<Value>) {
  const entries = new Map<string, Entry<Value>>()
  let bytes = 0
  const remove = (key: string) => {
    bytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }
  /** Second chance: the oldest goes, unless it was used since it was last looked at. */
  const evict = () => {
    for (const [key, entry] of entries) {
      if (entries.size <= maxEntries() && bytes <= maxBytes()) return
      entries.delete(key)
      if (entry.isUsed) entries.set(key, entry)
      else bytes -= entry.bytes
      entry.isUsed = false
    }
  }
  const set = (key: string, value: Value, topics: readonly string[]) => {
    const size = bytesOf(value, key)
    remove(key)
    // One value must not push out most of the others.
    if (size > maxBytes() / 4) return
    entries.set(key, { value, bytes: size, topics, isUsed: false })
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
      if (entry !== undefined) set(key, entry.value, entry.topics)
    },
    delete: remove,
    deleteOf(topic: string) {
      for (const [key, { topics }] of entries) if (topics.includes(topic)) remove(key)
    },
    clear() {
      entries.clear()
      bytes = 0
    },
    size: () => ({ entries: entries.size, bytes })
  }
}
