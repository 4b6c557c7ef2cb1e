import { AsyncLocalStorage, executionAsyncResource } from 'node:async_hooks'

const held: object[] = []
/** A tick holds what is stored for its caller. At this time there is nothing. */
const withoutCaller = AsyncLocalStorage.snapshot()

/**
 * `process.nextTick` takes six times as long for the rest of a process once a garbage collection has found no tick: V8 forgets
 * the shape of an object that none has, and does not optimize this one again. A response needs five ticks. So one is held.
 */
export function holdTickShape(): void {
  if (held.length === 0) withoutCaller(() => process.nextTick(() => held.push(executionAsyncResource())))
}
