import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { isOutOfMemory } from '../../child-process/out-of-memory.ts'
import { AppError, ConflictError } from '../../core/contract/errors.ts'
import { type BackupRequest, errorOf, type FromProcess, type Results, type ToProcess } from './child-protocol.ts'
import type { Part } from './read.ts'

/** Compiled, the program lies beside this file as JavaScript: the compiler does not rewrite a URL. */
const program = new URL(`./child-main${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`, import.meta.url)

const mb = 1024 * 1024
/** Heap of the process in MB, beside what its longest row takes in its several forms. */
const heapMb = 384
const heapPerRowByte = 8

/** The process reports every second that it is alive. */
const maxSilenceMs = 60_000
/** Time it has to delete what it made. */
const stopTimeoutMs = 5_000

interface ChildOptions {
  signal: AbortSignal
  onProgress?(done: number): void
}

/**
 * Reads a backup in a process of its own, with limits of memory and time: a hostile file harms no other process. What is
 * yielded was checked.
 * @throws as `readBackup` does, and ConflictError when the process used up what it may.
 */
export async function* readInChild(
  request: Extract<BackupRequest, { kind: 'read' }>,
  options: ChildOptions
): AsyncGenerator<Part> {
  const reader = startChild<'read'>(request, options)
  try {
    for (;;) {
      const message = await reader.next()
      if (message.kind === 'result') return
      if (message.kind !== 'part') continue
      yield message.part
      reader.send({ kind: 'next' })
    }
  } finally {
    await reader.end()
  }
}

/** Runs a request in a process of its own to its result. */
export async function runInChild<Kind extends BackupRequest['kind']>(
  request: Extract<BackupRequest, { kind: Kind }>,
  options: ChildOptions
): Promise<Results[Kind]> {
  const reader = startChild<Kind>(request, options)
  try {
    for (;;) {
      const message = await reader.next()
      if (message.kind === 'progress') options.onProgress?.(message.done)
      if (message.kind === 'result') return message.result
    }
  } finally {
    await reader.end()
  }
}

interface Child<Kind extends BackupRequest['kind']> {
  send(message: ToProcess): void
  /** @throws the process's failure, or how it ended. */
  next(): Promise<Exclude<FromProcess<Kind>, { kind: 'failure' }>>
  /** Lets the process clean up, and waits until it is gone. */
  end(): Promise<void>
}

/** The request decides what its result is. */
function startChild<Kind extends BackupRequest['kind']>(request: BackupRequest, { signal }: ChildOptions): Child<Kind> {
  signal.throwIfAborted()
  const rowBytes = 'maxRowBytes' in request ? request.maxRowBytes : 0
  const heap = heapMb + Math.ceil((heapPerRowByte * rowBytes) / mb)
  const child = fork(program, [], {
    execArgv: [`--max-old-space-size=${heap}`],
    // Rows are texts of megabytes: JSON would escape them twice.
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc']
  })
  const inbox = createInbox<Kind>(child, heap)
  const send = (message: ToProcess) => void (child.connected && child.send(message, () => {}))
  const stop = () => inbox.fail(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  send({ kind: 'request', request })
  return {
    send,
    next: async () => {
      const message = await inbox.next()
      if (message.kind === 'failure') throw errorOf(message.failure)
      return message
    },
    end: async () => {
      signal.removeEventListener('abort', stop)
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      send({ kind: 'stop' })
      const isGone = await Promise.race([gone.then(() => true), wait(stopTimeoutMs, false, { ref: false })])
      if (isGone) return
      child.kill('SIGKILL')
      await gone
    }
  }
}

/** What the process says, one message after the other, until it fails. */
function createInbox<Kind extends BackupRequest['kind']>(child: ChildProcess, heap: number) {
  const messages: FromProcess<Kind>[] = []
  let failure: { reason: unknown } | undefined
  let wake = () => {}
  let lastSign = Date.now()
  let stderr = ''
  const fail = (reason: unknown) => {
    failure ??= { reason }
    wake()
  }
  child.stderr?.setEncoding('utf8').on('data', text => {
    stderr = (stderr + text).slice(-4000)
  })
  child.on('message', (message: FromProcess<Kind>) => {
    lastSign = Date.now()
    if (message.kind === 'alive') return
    messages.push(message)
    wake()
  })
  child.on('error', fail)
  child.on('close', (status, signal) => fail(endOf({ status, signal, stderr, heap })))
  return {
    fail,
    async next(): Promise<FromProcess<Kind>> {
      lastSign = Date.now()
      for (;;) {
        const message = messages.shift()
        if (message !== undefined) return message
        if (failure !== undefined) throw failure.reason
        if (Date.now() - lastSign > maxSilenceMs) throw tooSlow()
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        const timer = setTimeout(resolve, 1_000)
        await promise
        clearTimeout(timer)
      }
    }
  }
}

const tooSlow = () => new ConflictError('The backup cannot be read in bounded time: it is not one that galley wrote.')

interface End {
  status: number | null
  signal: NodeJS.Signals | null
  stderr: string
  heap: number
}

function endOf({ status, signal, stderr, heap }: End): AppError {
  if (isOutOfMemory(status, signal))
    return new ConflictError(`The backup needs more than ${heap} MB of memory to be read: galley wrote no such file.`)
  const last = stderr.trim().split('\n').at(-1) ?? ''
  return new AppError(
    'INTERNAL_ERROR',
    `The process that reads the backup ended (${signal ?? `status ${status}`}${last === '' ? '' : `: ${last}`}): try again.`
  )
}
