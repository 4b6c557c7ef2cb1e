import { AsyncLocalStorage } from 'node:async_hooks'
import { createSerial, type Serial } from './serial.ts'

/**
 * What a statement is for. Each lane has its own connections (on PGlite: its own queue), so that a busy one cannot starve
 * another. `work`: decisions, jobs and commands. `reads`: requests that only read. `queries`: those of them that look through much, such as a search. `health`: whether
 * the database answers.
 */
export type Lane = 'work' | 'reads' | 'queries' | 'health'
export const lanes: readonly Lane[] = ['work', 'health', 'reads', 'queries']

interface LaneUse {
  readonly lane: Lane
  /** Only where the work may have one statement under way at a time. */
  readonly serial?: Serial
}

const current = new AsyncLocalStorage<LaneUse>()

/** The database is used in `lane` by all that `work` does. */
export const inLane = <T>(lane: Lane, work: () => T): T => current.run({ lane }, work)

/**
 * The same, with one statement at a time: however much the work asks for at once, it holds one connection. Where `within`
 * is given, it runs each statement when it is its turn among those of other work.
 */
export function inLaneSerially<T>(lane: Lane, work: () => T, within?: Serial): T {
  const own = createSerial()
  const serial: Serial = within === undefined ? own : statement => own(() => within(statement))
  return current.run({ lane, serial }, work)
}

/** The lane of the work under way. */
export const currentLane = (): Lane => current.getStore()?.lane ?? 'work'

/** Runs a statement or a transaction when it is its turn. */
export const serially: Serial = work => current.getStore()?.serial?.(work) ?? work()
