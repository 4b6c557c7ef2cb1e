import { createLoader } from '#coalescing'
import type { BatchRead } from '#core'

/** A read that requests share. */
export type PageRead<Asked, Row> = (asked: Asked) => Promise<readonly Row[]>

/** Readers who ask for the same page while statements are under way share the next one. */
export function sharedPage<Asked, Row>(read: (asked: Asked) => Promise<Row[]>): PageRead<Asked, Row> {
  const loader = createLoader<{ key: string; rows: readonly Row[] }>({
    keyOf: ({ key }) => key,
    maxKeys: 4,
    read: keys => Promise.all(keys.map(async key => ({ key, rows: await read(JSON.parse(key) as Asked) })))
  })
  return async asked => (await loader.load(JSON.stringify(asked)))?.rows ?? []
}

/** What requests ask for while statements are under way is read by the next one, up to `maxRequests` requests' keys. */
export function coalesced<Value>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  maxRequests = 25
): BatchRead<Value> {
  const loader = createLoader<{ set: string; found: ReadonlyMap<string, Value> }>({
    keyOf: ({ set }) => set,
    maxKeys: maxRequests,
    async read(sets) {
      const found = await read([...new Set(sets.flatMap(set => JSON.parse(set) as string[]))])
      return sets.map(set => ({ set, found }))
    }
  })
  return async keys => (await loader.load(JSON.stringify(keys)))?.found ?? new Map()
}
