import { executionAsyncResource } from 'node:async_hooks'

const held: object[] = []

/**
 * `process.nextTick` takes six times as long for the rest of a process once a garbage collection has found no tick: V8 forgets
 * the shape of an object that none has, and does not optimize this one again. A response needs five ticks. So one is held.
 */
export function holdTickShape(): void {
  if (held.length === 0) process.nextTick(() => held.push(executionAsyncResource()))
}
