import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import type { Progress } from '../../core/contract/command.ts'
import type { Log } from '../../core/log.ts'
import { forCaller, keepProcessOfCommands } from '../framework/command-exit.ts'
import type { CliSession } from '../framework/run.ts'
import { readText } from '../framework/terminal.ts'
import { type CallerFrame, createFrameReader, encodeFrame, type OwnerFrame, protocol } from './protocol.ts'
import { prepareSocketFolder, socketPath } from './socket-path.ts'

/** Runs a command line. Returns its exit status. */
export type RunLine = (argv: readonly string[], session: CliSession) => Promise<number>

export interface OwnerSocket {
  /** Takes no more commands, interrupts those that run and waits for them. */
  close(): Promise<void>
}

/**
 * Takes the commands of other processes and runs them here, in the one process that may open the embedded database.
 * The caller holds the lock on the home: a socket that is still there belongs to a process that has died.
 */
export async function listenForCommands(options: {
  home: string
  version: string
  /** Where the API listens, for those who ask. */
  url: string
  run: RunLine
  log: Log
}): Promise<OwnerSocket> {
  const { home, version, url, run, log } = options
  const file = socketPath(home)
  const running = new Map<Socket, Promise<void>>()
  const server = createServer(socket => {
    socket.on('error', error => log.debug({ err: error }, 'the connection of a command broke'))
    socket.write(encodeFrame({ type: 'hello', protocol, version, pid: process.pid, url }))
    const done = serveCaller(socket, run).catch(error => {
      log.error({ err: error }, 'a command could not be answered')
      socket.destroy()
    })
    running.set(socket, done)
    done.finally(() => running.delete(socket))
  })
  prepareSocketFolder(home)
  rmSync(file, { force: true })
  await listenPrivately(server, file)
  const restoreExit = keepProcessOfCommands()
  return {
    async close() {
      server.close()
      for (const socket of running.keys()) socket.destroy()
      await Promise.all(running.values())
      restoreExit()
      rmSync(file, { force: true })
    }
  }
}

/** The file appears with its final mode: there is no moment when others could connect. */
async function listenPrivately(server: Server, file: string): Promise<void> {
  const mask = process.umask(0o177)
  try {
    server.listen(file)
  } finally {
    process.umask(mask)
  }
  await once(server, 'listening')
}

async function serveCaller(socket: Socket, run: RunLine): Promise<void> {
  const caller = createCaller(socket)
  const request = await caller.request
  if (request === null) return
  const status = await forCaller(() => run(request.argv, sessionOf(request, caller)))
  if (socket.writable) socket.end(encodeFrame({ type: 'exit', status }))
}

type RunFrame = Extract<CallerFrame, { type: 'run' }>

interface Caller {
  /** What the caller wants; null when it left without asking. */
  request: Promise<RunFrame | null>
  stdin: AsyncIterable<Uint8Array>
  /** The answer to the question sent last. Rejects when the caller is gone. */
  answer(): Promise<string | null>
  /** Aborted when the caller is gone. */
  signal: AbortSignal
  /** Aborted when nobody reads its stdout any more. */
  closed: AbortSignal
  send(frame: OwnerFrame): void
}

function createCaller(socket: Socket): Caller {
  const gone = new AbortController()
  const closed = new AbortController()
  const request = Promise.withResolvers<RunFrame | null>()
  const stdin = new PassThrough()
  let asked = Promise.withResolvers<string | null>()
  const read = createFrameReader<CallerFrame>(frame => {
    if (frame.type === 'run') request.resolve(frame)
    else if (frame.type === 'stdin') stdin.write(Buffer.from(frame.data, 'base64'))
    else if (frame.type === 'stdin_end') stdin.end()
    else if (frame.type === 'stdout_closed') closed.abort()
    else if (frame.type === 'answer') asked.resolve(frame.text)
  })
  socket.on('data', chunk => {
    try {
      read(chunk)
    } catch {
      socket.destroy() // not a caller of ours
    }
  })
  socket.on('close', () => {
    request.resolve(null)
    stdin.destroy()
    gone.abort()
    asked.promise.catch(() => undefined)
    asked.reject(gone.signal.reason)
  })
  return {
    request: request.promise,
    stdin,
    answer: async () => {
      gone.signal.throwIfAborted()
      asked = Promise.withResolvers()
      return await asked.promise
    },
    signal: gone.signal,
    closed: closed.signal,
    send: frame => void (socket.writable && socket.write(encodeFrame(frame)))
  }
}

function sessionOf({ cwd, debug, terminal }: RunFrame, caller: Caller): CliSession {
  return {
    terminal: {
      ...terminal,
      cwd,
      timeZone: 'UTC',
      signal: caller.signal,
      progress: label => progressAt(caller, label),
      ask: async (question, { isSecret = false } = {}) => {
        caller.send({ type: 'ask', question, is_secret: isSecret })
        return await caller.answer()
      },
      note: line => caller.send({ type: 'stderr', text: line }),
      readStdin: async limits => {
        caller.send({ type: 'need_stdin' })
        return await readText(caller.stdin, limits)
      }
    },
    print: text => caller.send({ type: 'stdout', text }),
    closed: caller.closed,
    actor: 'operator',
    debug
  }
}

let progresses = 0

function progressAt({ send }: Caller, label: string): Progress {
  const id = ++progresses
  return {
    update: (done, total) => send({ type: 'progress', id, label, done, total }),
    end: () => send({ type: 'progress_end', id })
  }
}
