import type { BatchRead, GraphqlContext, Principal } from '#core'
import type { AnswerSize } from './answer-size.ts'

type Asked = Map<string, PromiseWithResolvers<unknown>>

/** The context of one request: keys asked for in one turn of the event loop are read together, and each once. */
export function createContext(principal: Principal | null, size: AnswerSize): GraphqlContext {
  const known = new Map<BatchRead<unknown>, Map<string, Promise<unknown>>>()
  const waiting = new Map<BatchRead<unknown>, Asked>()
  const readAll = async (read: BatchRead<unknown>) => {
    const asked = waiting.get(read) as Asked
    waiting.delete(read)
    try {
      const found = await read([...asked.keys()], context)
      for (const [key, { resolve }] of asked) resolve(found.get(key))
    } catch (error) {
      for (const { reject } of asked.values()) reject(error)
    }
  }
  const ask = (read: BatchRead<unknown>, key: string): Promise<unknown> => {
    let asked = waiting.get(read)
    if (asked === undefined) {
      asked = new Map()
      waiting.set(read, asked)
      // After the promises that are settled now: they may ask for more of the same.
      setImmediate(() => void readAll(read))
    }
    const one = Promise.withResolvers<unknown>()
    asked.set(key, one)
    return one.promise
  }
  const context: GraphqlContext = {
    principal,
    mostBytes: size.most,
    refuseLarge: size.refuseLarge,
    load<Value>(read: BatchRead<Value>, key: string) {
      const values = known.get(read) ?? new Map<string, Promise<unknown>>()
      known.set(read, values)
      const found = values.get(key) ?? ask(read, key)
      values.set(key, found)
      return found as Promise<Value | undefined>
    }
  }
  return context
}
