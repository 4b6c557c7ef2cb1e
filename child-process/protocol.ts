/** A call, as it is sent to the child: one at a time. */
export interface ChildRequest {
  /** Address of the module. */
  module: string
  /** The function it exports. */
  name: string
  input: unknown
  /** The input is a list: the function is called with each of its items, and the answers are a list. */
  isMany: boolean
  /** The time it may take on a processor that others leave alone. */
  cpuTimeMs: number
  /** The time it is given by the clock: more, where a first try was starved. */
  wallTimeMs: number
}

/** What became of a call. */
export type ChildAnswer =
  | { kind: 'done'; output: unknown }
  /** The input cannot be worked on; `reason` completes "the text …". */
  | { kind: 'refused'; reason: string }
  /** The function itself cannot be called, whatever the input is. */
  | { kind: 'unusable'; reason: string }
  /** The time passed while others had the processor. */
  | { kind: 'starved' }

/** What the child sends: that the call begins, for its module is loaded, and what became of it. */
export type ChildMessage = { kind: 'loaded' } | ChildAnswer

export const limits = {
  /** For the start and the imports, on a busy machine too: a slow start is no fault of the input. */
  startMs: 30_000,
  /** Of a call, unless it says otherwise. */
  cpuTimeMs: 1_000,
  /**
   * A call whose first try was starved has its time by the clock multiplied by this. `watched`: where the processor time of
   * the child can be read, which then ends it.
   */
  starvedTimes: { watched: 15, unwatched: 4 },
  /** Of a call that does not even stop itself. */
  graceMs: 3_000,
  heapMb: 128
} as const

export const tooSlow = (cpuTimeMs: number): string => `takes more than ${cpuTimeMs / 1000} s`
