import type { ChildProcess } from 'node:child_process'
import { forkModule, lowMemoryEnv, moduleAt, setReferenced } from '#child-process/fork'
import { processorTime } from '#child-process/processor-time'
import { UnavailableError } from '#core'
import { DrawingError } from '../cover-error.ts'
import type { Picture } from '../pictures/decoding.ts'
import { PictureError } from '../pictures/picture-error.ts'
import { pictureLimits } from '../pictures/picture-limits.ts'
import { unforeseenDrawing } from '../presentable.ts'
import type { PictureAnswer, PictureCall } from './picture-protocol.ts'
import { residentMb } from './resident-memory.ts'

const main = moduleAt('./picture-main', import.meta.url)

/** All work on pictures: in one child process, one after the other, each within limits of time and memory. */
export interface PictureProcess {
  /** @throws PictureError for a picture that is not taken, UnavailableError when too many wait; the reason of an aborted signal */
  make(call: PictureCall, signal?: AbortSignal): Promise<Picture>
}

const maxWaiting = 32
/** An idle child takes some 90 MB. */
const maxIdleMs = 20_000
/** What a large picture left behind is not to count for the next one. */
const maxIdleMb = 300

/** What a call may take. */
type CallLimits = Pick<typeof pictureLimits, 'callMs' | 'wallMs' | 'memoryMb'>

export function createPictureProcess(limits: CallLimits = pictureLimits): PictureProcess {
  let child: ChildProcess | undefined
  let idleTimer: NodeJS.Timeout | undefined
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()

  const makeNow = async (call: PictureCall, signal: AbortSignal | undefined): Promise<Picture> => {
    signal?.throwIfAborted()
    clearTimeout(idleTimer)
    const used = child?.connected ? child : startChild()
    child = used
    try {
      return pictureOf(call, await callChild(used, call, limits, signal))
    } finally {
      const end = () => used.connected && used.disconnect()
      if (residentMb(used.pid) > maxIdleMb) end()
      idleTimer = setTimeout(end, maxIdleMs).unref()
    }
  }
  return {
    async make(call, signal) {
      if (waiting >= maxWaiting) throw new UnavailableError('Too many pictures wait to be read: try again soon.')
      waiting += 1
      const made = last
        .then(() => makeNow(call, signal))
        .finally(() => {
          waiting -= 1
        })
      last = made.catch(() => {})
      return made
    }
  }
}

function pictureOf(call: PictureCall, answer: PictureAnswer): Picture {
  if (answer.kind === 'done') return answer.picture
  if (answer.kind === 'refused') throw new PictureError(answer.code, answer.found, answer.remedy)
  if (answer.kind === 'unavailable') throw new DrawingError(answer.reason)
  throw failed(call, new Error(answer.reason))
}

/** Whoever reads the site goes first. With a heap for each thread, glibc holds on to the memory of each thread's last picture. */
const startChild = () => forkModule(main, { heapMb: 128, niceness: 10, environment: lowMemoryEnv })

const watchMs = 50

function callChild(
  child: ChildProcess,
  call: PictureCall,
  { callMs, wallMs, memoryMb }: CallLimits,
  signal: AbortSignal | undefined
): Promise<PictureAnswer> {
  return new Promise((resolve, reject) => {
    const finish = (end: () => void) => {
      clearTimeout(deadline)
      clearInterval(watch)
      signal?.removeEventListener('abort', onAbort)
      child.removeAllListeners()
      child.on('error', () => {})
      setReferenced(child, false)
      end()
    }
    const kill = (error: unknown) => {
      child.kill('SIGKILL')
      if (child.connected) child.disconnect()
      finish(() => reject(error))
    }
    const onAbort = () => kill(signal?.reason)
    const tooSlow = () => kill(refused(call, `takes more than ${callMs / 1000} s`))
    const begun = processorTime(child.pid)
    const deadline = begun === undefined ? setTimeout(tooSlow, callMs) : setTimeout(() => kill(starved(wallMs)), wallMs)
    const watch = setInterval(() => {
      if (residentMb(child.pid) > memoryMb) kill(refused(call, `takes more than ${memoryMb} MB of memory`))
      else if ((processorTime(child.pid) ?? 0) - (begun ?? 0) > callMs) tooSlow()
    }, watchMs)
    child.on('message', (answer: PictureAnswer) => finish(() => resolve(answer)))
    child.on('error', () => kill(ended(call)))
    child.on('exit', () => kill(ended(call)))
    signal?.addEventListener('abort', onAbort)
    setReferenced(child, true)
    child.send(call, error => {
      if (error !== null) kill(ended(call))
    })
  })
}

/** What is drawn here has no sender who could make it smaller. */
const refused = ({ name }: PictureCall, reason: string): Error =>
  name === 'drawCover'
    ? new DrawingError(`A cover could not be drawn: it ${reason}.`)
    : new PictureError('VALIDATION_ERROR', reason, 'make it smaller')
/** `cause` has the stack of the child, which is for the log alone. */
const failed = ({ name }: PictureCall, cause: Error): Error =>
  name === 'drawCover' ? unforeseenDrawing(cause) : new Error('A picture could not be made.', { cause })
const starved = (wallMs: number) =>
  new UnavailableError(`A picture was not ready within ${wallMs / 1000} s, for others have the processor: try again.`)
const ended = ({ name }: PictureCall) =>
  new (name === 'drawCover' ? DrawingError : UnavailableError)('The process that reads pictures has ended: try again.')
