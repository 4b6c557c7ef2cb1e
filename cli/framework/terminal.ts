import { isatty } from 'node:tty'
import type { Terminal, TextLimits } from '../../core/contract/command.ts'
import { askLine } from './ask.ts'
import { createNotes } from './progress.ts'
import type { CliSession } from './run.ts'
import { sanitizeOutput } from './sanitize.ts'
import { readTextStream } from './text-file.ts'

/** Largest text taken from stdin where the command names no other limit, in bytes. */
const maxStdinBytes = 16 * 1024 * 1024

/** In a pipe nothing is cut. */
const unlimitedColumns = 10_000

/** What a process knows about its terminal. */
export interface TerminalFacts {
  isInteractive: boolean
  columns: number
  hasColour: boolean
}

/** Asked of the file descriptors: touching `process.stdin` would open it, which costs start-up time. */
function readFacts(env: NodeJS.ProcessEnv = process.env): TerminalFacts {
  const isPlain = (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb'
  const isOnTerminal = isatty(1)
  return {
    isInteractive: isatty(0) && isatty(2),
    columns: isOnTerminal ? process.stdout.columns : unlimitedColumns,
    hasColour: isOnTerminal && !isPlain
  }
}

/** Text of what stdin brings. @throws InputError when it is too long or not UTF-8. */
export const readText = (
  chunks: AsyncIterable<Uint8Array>,
  limits: TextLimits = { maxBytes: maxStdinBytes, field: 'body' }
): Promise<string> => readTextStream(chunks, limits)

interface StreamWriter {
  write(text: string): void
  /** Resolves when all has been taken, or refused: a pipe holds 64 KB, and its reader may be slow. */
  flush(): Promise<void>
}

/** Text to a stream. A reader that has gone (`| head`) ends the output, not the command. */
function streamWriter(
  open: () => NodeJS.WriteStream,
  onFault: (error: NodeJS.ErrnoException) => void,
  onGone = () => {}
): StreamWriter {
  let stream: NodeJS.WriteStream | undefined
  let last = Promise.resolve()
  return {
    write(text) {
      stream ??= open().on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'EPIPE') onGone()
        else onFault(error)
      })
      const { promise, resolve } = Promise.withResolvers<void>()
      last = promise
      stream.write(text, () => resolve())
    },
    flush: () => last
  }
}

function notesTo(env: NodeJS.ProcessEnv): Pick<Terminal, 'note' | 'progress'> {
  const isLive = isatty(2) && env.TERM !== 'dumb'
  return createNotes({
    // Where messages cannot be written, this one cannot either.
    write: streamWriter(
      () => process.stderr,
      () => {}
    ).write,
    isLive,
    columns: isLive ? process.stderr.columns : unlimitedColumns,
    now: Date.now
  })
}

/**
 * The session of this process. With `interruptible`, Ctrl-C aborts the terminal's signal, and a second one ends the
 * process at once; without, the command deals with signals itself.
 */
export function openSession(options: {
  interruptible: boolean
  env?: NodeJS.ProcessEnv
}): CliSession & Pick<StreamWriter, 'flush'> {
  const { interruptible, env = process.env } = options
  const interrupt = new AbortController()
  if (interruptible) process.once('SIGINT', () => interrupt.abort())
  const terminal: Terminal = {
    ...readFacts(env),
    ...notesTo(env),
    ask: (question, options) => askLine(question, interrupt.signal, options),
    readStdin: limits => readText(process.stdin, limits),
    cwd: process.cwd(),
    timeZone: 'UTC',
    signal: interrupt.signal
  }
  const gone = new AbortController()
  const output = streamWriter(
    () => process.stdout,
    ({ code }) => {
      terminal.note(`error: The output cannot be written (${code}): make room, or send it elsewhere.`)
      process.exit(1)
    },
    () => gone.abort()
  )
  return {
    terminal,
    print: text => output.write(`${sanitizeOutput(text, terminal)}\n`),
    flush: output.flush,
    closed: gone.signal,
    actor: 'operator',
    debug: env.LOG_LEVEL === 'debug' || env.LOG_LEVEL === 'trace'
  }
}
