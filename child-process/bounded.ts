import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { createCache, UnavailableError } from '#core'

import { type Child, type Outcome, startChild } from './child.ts'
import { processorTime } from './processor-time.ts'
import { type ChildAnswer, type ChildRequest, limits } from './protocol.ts'
import { createClientTurns } from './turns.ts'

/** An input that cannot be worked on within the limits. `message` completes "the text …". */
export class LimitError extends Error {
  override readonly name = 'LimitError'
}

/**
 * A function of another module, run in a process of its own with 1 s (unless said otherwise) and 128 MB. `client` is whoever asks: clients take turns.
 * @throws LimitError for an input that passes the limits, UnavailableError when too many calls wait.
 */
export type Bounded<Output> = (input: string, client: string) => Promise<Output>

/** What this process has its children for. One pool for all: two children are enough, and most processes need none. */
const children = createPool()

/** Names the function `name` of `module`, whose imports should be few: a child reads them at its start. */
export function bounded<Output>(
  module: URL,
  name: string,
  { timeMs } = { timeMs: limits.timeMs as number }
): Bounded<Output> {
  const refusals = createCache<string>({ maxEntries: () => maxRefusals })
  return async (input, client) => {
    const reason = refusals.size().entries === 0 ? undefined : refusals.get(hashOf(input))
    if (reason !== undefined) throw new LimitError(reason)
    const answer = await children.run({ module: module.href, name, input, timeMs }, client)
    if (answer.kind === 'done') return answer.output as Output
    refusals.begin()(hashOf(input), answer.reason)
    throw new LimitError(answer.reason)
  }
}

/** Refused inputs are cached by hash: sent again and again, one would keep a child busy for a second each time. */
const maxRefusals = 200
const hashOf = (input: string) => createHash('sha256').update(input).digest('base64')

type Call = Omit<ChildRequest, 'clockMs'>
type Verdict = Extract<ChildAnswer, { kind: 'done' | 'refused' }>

const mostChildren = Math.min(2, availableParallelism())
/** Who waits longer for a turn is told to come again: a caller that brings many slow texts would wait half a minute. */
const maxWaitMs = 10_000
/** A child at rest takes some 60 MB. */
const restMs = 20_000

function createPool() {
  const turns = createClientTurns<() => Promise<void>>()
  const idle: Child[] = []
  let busy = 0
  let rest: NodeJS.Timeout | undefined

  const take = () => {
    for (let child = idle.pop(); child !== undefined; child = idle.pop()) if (child.isAlive()) return child
    return startChild()
  }
  const giveBack = (child: Child) => {
    if (child.isAlive()) idle.push(child)
    clearTimeout(rest)
    rest = setTimeout(() => {
      for (const each of idle.splice(0)) each.end()
    }, restMs).unref()
  }
  const callOnce = async (call: Call, clockMs: number): Promise<Outcome> => {
    const child = take()
    try {
      return await child.call({ ...call, clockMs })
    } finally {
      giveBack(child)
    }
  }
  const proceed = () => {
    while (busy < mostChildren) {
      const turn = turns.next()
      if (turn === undefined) return
      busy += 1
      void turn.work().finally(() => {
        busy -= 1
        turn.end()
        proceed()
      })
    }
  }
  return {
    run: (call: Call, client: string): Promise<Verdict> =>
      new Promise((resolve, reject) => {
        const refuse = () => reject(new UnavailableError('Too many texts wait to be read: try again soon.'))
        const queuedAt = performance.now()
        const work = async () => {
          if (performance.now() - queuedAt > maxWaitMs) return refuse()
          await verdictOn(call, clockMs => callOnce(call, clockMs)).then(resolve, reject)
        }
        if (!turns.add(client, work)) return refuse()
        proceed()
      })
  }
}

/** A try that others took the processor from, or whose process was ended from outside, says nothing about the input: it gets one more. */
async function verdictOn({ timeMs }: Call, attempt: (clockMs: number) => Promise<Outcome>): Promise<Verdict> {
  const { watched, unwatched } = limits.starvedTimes
  const times = processorTime(process.pid) === undefined ? unwatched : watched
  for (const clockMs of [timeMs, timeMs * times]) {
    const outcome = await attempt(clockMs)
    if (outcome.kind === 'done' || outcome.kind === 'refused') return outcome
    if (outcome.kind === 'ended' && outcome.isOverMemory)
      return { kind: 'refused', reason: `takes more than ${limits.heapMb} MB of memory` }
  }
  throw new UnavailableError('The machine is too busy to read the text: try again later.')
}
