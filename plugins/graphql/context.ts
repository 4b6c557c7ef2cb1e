import type { BatchRead, GraphqlContext, Principal } from '#core'
import type { ResponseSize } from './response-size.ts'

type PendingKeys = Map<string, PromiseWithResolvers<unknown>>

/** The context of one request. Keys requested in one turn of the event loop are read in one batch, each once. */
export function createContext(principal: Principal | null, size: ResponseSize): GraphqlContext {
  const cached = new Map<BatchRead<unknown>, Map<string, Promise<unknown>>>()
  const pending = new Map<BatchRead<unknown>, PendingKeys>()
  const readBatch = async (read: BatchRead<unknown>, keys: PendingKeys) => {
    pending.delete(read)
    try {
      const found = await read([...keys.keys()], context)
      for (const [key, { resolve }] of keys) resolve(found.get(key))
    } catch (error) {
      for (const { reject } of keys.values()) reject(error)
    }
  }
  const ask = (read: BatchRead<unknown>, key: string): Promise<unknown> => {
    const keys: PendingKeys = pending.get(read) ?? new Map()
    if (!pending.has(read)) {
      pending.set(read, keys)
      // Resolved promises run first: they may request more keys.
      setImmediate(() => void readBatch(read, keys))
    }
    const one = Promise.withResolvers<unknown>()
    keys.set(key, one)
    return one.promise
  }
  const context: GraphqlContext = {
    principal,
    maxBytes: size.maxBytes,
    refuseLarge: size.refuseLarge,
    load<Value>(read: BatchRead<Value>, key: string) {
      const values = cached.get(read) ?? new Map<string, Promise<unknown>>()
      cached.set(read, values)
      const found = values.get(key) ?? ask(read, key)
      values.set(key, found)
      // What `read` answers is stored under `read` itself.
      return found as Promise<Value | undefined>
    }
  }
  return context
}
