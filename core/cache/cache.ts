import type { Changes } from '../contract/changes.ts'
import { type BoundedMapLimits, createBoundedMap } from './bounded-map.ts'
import { createGenerations } from './generations.ts'
import { createSingleFlight } from './single-flight.ts'

/** Stores a value under a key. Does nothing if a tag changed since `begin`. */
export type Store<Value> = (key: string, value: Value) => void

/** Reads the values of keys. A key that it leaves out has no value. */
type ReadMany<Value> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>

/** Values of this process by key. Bounded; what a change may have made wrong is never returned. */
export interface Cache<Value> {
  /** Undefined where there is none, and while a change made elsewhere could be unknown here. */
  get(key: string): Value | undefined
  /** Call before reading what values are made of. `tags`: those of the cache, unless told otherwise. */
  begin(tags?: readonly string[]): Store<Value>
  /** The value, read if there is none. Concurrent calls for one key share the promise. */
  load(key: string, read: () => Promise<Value>): Promise<Value>
  /** The values of many keys. `read` is called once, with those that there are none of. */
  loadMany(keys: readonly string[], read: ReadMany<Value>): Promise<Map<string, Value>>
  /** Measures a value again that has changed inside. */
  measure(key: string): void
  delete(key: string): void
  /** Removes what depends on a tag; without one, everything. Values being read now are not stored either. */
  invalidate(tag?: string): void
  size(): { entries: number; bytes: number }
}

/** A value with the cache tags that it depends on. */
interface TaggedValue<Value> {
  readonly value: Value
  readonly tags: readonly string[]
}

interface CacheOptions<Value> extends Omit<BoundedMapLimits<string, Value>, 'onRemove'> {
  /** Without it nothing is invalidated but by hand. */
  changes?: Pick<Changes, 'on' | 'isCurrent'>
  /** Cache tags that every value depends on. */
  tags?: readonly string[]
}

export function createCache<Value>(options: CacheOptions<Value>): Cache<Value> {
  const { changes, tags: usual = [], maxEntries, maxBytes, bytesOf = () => 0 } = options
  const values = createBoundedMap<string, TaggedValue<Value>>({
    maxEntries,
    maxBytes,
    bytesOf: ({ value }, key) => bytesOf(value, key)
  })
  const deleteOf = (tag: string) => values.deleteWhere(({ tags }) => tags.includes(tag))
  const generations = createGenerations(changes, deleteOf)
  const singleFlight = createSingleFlight<Value>()
  generations.subscribe(usual)
  const isCurrent = () => changes === undefined || changes.isCurrent()

  const get = (key: string) => {
    const stored = values.get(key)
    return stored !== undefined && isCurrent() ? stored.value : undefined
  }
  const begin = (tags = usual): Store<Value> => {
    generations.subscribe(tags)
    const isOutdated = generations.watch(tags)
    const wasCurrent = isCurrent()
    return (key, value) => {
      if (wasCurrent && !isOutdated()) values.set(key, { value, tags })
    }
  }
  const readAndStore = async (key: string, read: () => Promise<Value>) => {
    const store = begin()
    const value = await read()
    store(key, value)
    return value
  }
  return {
    get,
    begin,
    async load(key, read) {
      const value = get(key)
      if (value !== undefined) return value
      const isOutdated = generations.watch(usual)
      return singleFlight.share(
        key,
        () => isOutdated() || !isCurrent(),
        () => readAndStore(key, read)
      )
    },
    loadMany: (keys, read) => loadMany({ get, begin }, keys, read),
    measure: values.measure,
    delete: values.delete,
    invalidate(tag) {
      generations.advance(tag)
      if (tag === undefined) values.clear()
      else deleteOf(tag)
    },
    size: values.size
  }
}

async function loadMany<Value>(
  { get, begin }: Pick<Cache<Value>, 'get' | 'begin'>,
  keys: readonly string[],
  read: ReadMany<Value>
): Promise<Map<string, Value>> {
  const found = new Map<string, Value>()
  const missing: string[] = []
  for (const key of new Set(keys)) {
    const value = get(key)
    if (value === undefined) missing.push(key)
    else found.set(key, value)
  }
  if (missing.length === 0) return found
  const store = begin()
  for (const [key, value] of await read(missing)) {
    store(key, value)
    found.set(key, value)
  }
  return found
}
