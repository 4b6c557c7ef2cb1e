import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { createBoundedMap, UnavailableError } from '#core'

import { type CallOutcome, type Child, startChild } from './child.ts'
import { createFairQueue } from './fair-queue.ts'
import { processorTime } from './processor-time.ts'
import { type ChildAnswer, type ChildRequest, limits } from './protocol.ts'

/** An input that cannot be worked on within the limits. `message` completes "the text …". */
export class LimitError extends Error {
  override readonly name = 'LimitError'
}

/**
 * A function of another module. It runs in a child process, with 128 MB and, unless said otherwise, 1 s. `client` is whoever
 * asks: clients take turns.
 * @throws LimitError for an input that passes the limits, UnavailableError when too many calls wait, TypeError for
 * a module that cannot be imported or has no such function.
 */
export type Bounded<Output> = (input: string, client: string) => Promise<Output>

/** The same for many inputs, which share calls: that saves half of the work on short texts. A refused input has its error in its place. */
type BoundedMany<Output> = (inputs: readonly string[], client: string) => Promise<(Output | LimitError)[]>

/** One pool for all functions: two children are enough, and most processes need none. */
const children = createPool()

/** Names the function `name` of `module`, whose imports should be few: a child reads them at its start. */
export function bounded<Output>(
  module: URL,
  name: string,
  { cpuTimeMs }: { cpuTimeMs: number } = limits
): Bounded<Output> {
  const refusals = createBoundedMap<string, string>({ maxEntries: () => maxRefusals })
  return async (input, client) => {
    const reason = refusals.size().entries === 0 ? undefined : refusals.get(hashOf(input))
    if (reason !== undefined) throw new LimitError(reason)
    const answer = await children.run({ module: module.href, name, input, isMany: false, cpuTimeMs }, client)
    if (answer.kind === 'done') return outputOf<Output>(answer)
    if (answer.kind === 'unusable') throw new TypeError(answer.reason)
    refusals.set(hashOf(input), answer.reason)
    throw new LimitError(answer.reason)
  }
}

/** What the function of the caller's module returns. */
const outputOf = <Output>({ output }: Extract<FinalAnswer, { kind: 'done' }>): Output => output as Output

/** What one call is given: so much takes a twentieth of its time. */
const maxOfCall = { inputs: 32, length: 200_000 }

/** As `bounded`, with 1 s for each call. Where a call passes the limits, each of its inputs is called alone. */
export function boundedMany<Output>(module: URL, name: string): BoundedMany<Output> {
  const callOne = bounded<Output>(module, name)
  const callAlone = (input: string, client: string) =>
    callOne(input, client).catch(error => {
      if (error instanceof LimitError) return error
      throw error
    })
  return async (inputs, client) => {
    const outputs: (Output | LimitError)[] = []
    for (const input of grouped(inputs)) {
      const call = { module: module.href, name, input, isMany: true, cpuTimeMs: limits.cpuTimeMs }
      const answer = input.length === 1 ? undefined : await children.run(call, client)
      if (answer?.kind === 'unusable') throw new TypeError(answer.reason)
      if (answer?.kind === 'done') outputs.push(...outputOf<Output[]>(answer))
      else for (const each of input) outputs.push(await callAlone(each, client))
    }
    return outputs
  }
}

function* grouped(inputs: readonly string[]): Generator<string[]> {
  let group: string[] = []
  let length = 0
  for (const input of inputs) {
    if (group.length > 0 && (group.length >= maxOfCall.inputs || length + input.length > maxOfCall.length)) {
      yield group
      group = []
      length = 0
    }
    group.push(input)
    length += input.length
  }
  if (group.length > 0) yield group
}

/** Refused inputs are cached by hash: sent again and again, one would keep a child busy for a second each time. */
const maxRefusals = 200
const hashOf = (input: string) => createHash('sha256').update(input).digest('base64')

type Call = Omit<ChildRequest, 'wallTimeMs'>
type FinalAnswer = Extract<ChildAnswer, { kind: 'done' | 'refused' | 'unusable' }>

const maxChildren = Math.min(2, availableParallelism())
/** A call that waits longer is refused with 503: behind many slow texts it would wait half a minute. */
const maxWaitMs = 10_000
/** An idle child takes some 60 MB. A new one takes half a second of a processor, so that it outlives the pauses between two edits. */
const maxIdleMs = 60_000

function createPool() {
  const queue = createFairQueue<() => Promise<void>>()
  const idle = createIdleChildren()
  let busy = 0
  const callOnce = async (call: Call, wallTimeMs: number): Promise<CallOutcome> => {
    const child = idle.take()
    try {
      return await child.call({ ...call, wallTimeMs })
    } finally {
      idle.giveBack(child)
    }
  }
  const proceed = () => {
    while (busy < maxChildren) {
      const next = queue.next()
      if (next === undefined) return
      busy += 1
      void next.work().finally(() => {
        busy -= 1
        next.end()
        proceed()
      })
    }
  }
  return {
    run: (call: Call, client: string): Promise<FinalAnswer> =>
      new Promise((resolve, reject) => {
        const refuse = () => reject(new UnavailableError('Too many texts wait to be read: try again soon.'))
        const queuedAt = performance.now()
        const work = async () => {
          if (performance.now() - queuedAt > maxWaitMs) return refuse()
          await finalAnswerTo(call, wallTimeMs => callOnce(call, wallTimeMs)).then(resolve, reject)
        }
        if (!queue.add(client, work)) return refuse()
        proceed()
      })
  }
}

/** Children between two calls. They end when nobody calls for a while. */
function createIdleChildren() {
  const idle: Child[] = []
  let timer: NodeJS.Timeout | undefined
  return {
    /** An idle one, or a new one. */
    take(): Child {
      for (let child = idle.pop(); child !== undefined; child = idle.pop()) if (child.isAlive()) return child
      return startChild()
    },
    giveBack(child: Child): void {
      if (child.isAlive()) idle.push(child)
      clearTimeout(timer)
      timer = setTimeout(() => {
        for (const each of idle.splice(0)) each.end()
      }, maxIdleMs).unref()
    }
  }
}

let isSupported: boolean | undefined
/** Whether the system reports the processor time of a process. To ask takes as long as a short call. */
const isWatched = (): boolean => (isSupported ??= processorTime(process.pid) !== undefined)

/** A try that got too little processor time, or whose process was killed from outside, says nothing about the input: it is repeated once. */
async function finalAnswerTo(
  { cpuTimeMs }: Call,
  callOnce: (wallTimeMs: number) => Promise<CallOutcome>
): Promise<FinalAnswer> {
  const { watched, unwatched } = limits.starvedTimes
  const times = isWatched() ? watched : unwatched
  for (const wallTimeMs of [cpuTimeMs, cpuTimeMs * times]) {
    const outcome = await callOnce(wallTimeMs)
    if (outcome.kind !== 'starved' && outcome.kind !== 'ended') return outcome
    if (outcome.kind === 'ended' && outcome.isOutOfMemory)
      return { kind: 'refused', reason: `takes more than ${limits.heapMb} MB of memory` }
  }
  throw new UnavailableError('The machine is too busy to read the text: try again later.')
}
