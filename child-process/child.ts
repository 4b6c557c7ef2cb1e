import { forkModule, moduleAt, setReferenced } from './fork.ts'
import { isOutOfMemory } from './out-of-memory.ts'
import { processorTime } from './processor-time.ts'
import { type ChildAnswer, type ChildMessage, type ChildRequest, limits, tooSlow } from './protocol.ts'

const main = moduleAt('./main', import.meta.url)

/** What becomes of a call: an answer of the child, or that the child has ended over it. */
export type CallOutcome = ChildAnswer | { kind: 'ended'; isOutOfMemory: boolean }

/** A process that takes one call at a time. */
export interface Child {
  /** Never rejects. */
  call(request: ChildRequest): Promise<CallOutcome>
  isAlive(): boolean
  end(): void
}

export function startChild(): Child {
  const child = forkModule(main, { heapMb: limits.heapMb })
  let isAlive = true
  let finish: ((outcome: CallOutcome) => void) | undefined
  let onLoaded: (() => void) | undefined
  const onEnd = (isOutOfMemory: boolean) => {
    isAlive = false
    finish?.({ kind: 'ended', isOutOfMemory })
  }
  child.on('message', (message: ChildMessage) => (message.kind === 'loaded' ? onLoaded?.() : finish?.(message)))
  child.on('error', () => onEnd(false))
  child.on('exit', (code, signal) => onEnd(isOutOfMemory(code, signal)))
  const kill = (answer: ChildAnswer) => {
    isAlive = false
    child.kill('SIGKILL')
    finish?.(answer)
  }
  return {
    isAlive: () => isAlive,
    call: request =>
      new Promise(resolve => {
        const limit = startLimit(child.pid, request, kill)
        onLoaded = limit.onLoaded
        finish = outcome => {
          finish = undefined
          onLoaded = undefined
          limit.end()
          setReferenced(child, false)
          resolve(outcome)
        }
        if (!isAlive) return onEnd(false)
        setReferenced(child, true)
        child.send(request, error => {
          if (error !== null) onEnd(false)
        })
      }),
    end: () => {
      isAlive = false
      if (child.connected) child.disconnect()
    }
  }
}

/** The time limits of a call: first of the start of its process, then of its own work. */
function startLimit(pid: number | undefined, request: ChildRequest, kill: (answer: ChildAnswer) => void) {
  let deadline = setTimeout(() => kill({ kind: 'starved' }), limits.startMs)
  let watch: NodeJS.Timeout | undefined
  return {
    onLoaded() {
      const refuse = () => kill({ kind: 'refused', reason: tooSlow(request.cpuTimeMs) })
      clearTimeout(deadline)
      deadline = setTimeout(refuse, request.wallTimeMs + limits.graceMs)
      watch = watchTime(pid, request, refuse)
    },
    end() {
      clearTimeout(deadline)
      clearInterval(watch)
    }
  }
}

const watchMs = 100

/** A call that has long by the clock, for others have the processor, has no longer than any on the processor. */
function watchTime(pid: number | undefined, { cpuTimeMs, wallTimeMs }: ChildRequest, refuse: () => void) {
  if (wallTimeMs <= cpuTimeMs) return undefined
  let begun: number | undefined
  return setInterval(() => {
    const used = processorTime(pid)
    if (used === undefined) return
    // Most calls have ended by now, and to look takes as long as they. This one is taken to have run since it began.
    begun ??= used - watchMs
    if (used - begun > cpuTimeMs) refuse()
  }, watchMs)
}
