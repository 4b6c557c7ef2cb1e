import { Readable } from 'node:stream'
import { createNotes } from '../cli/framework/progress.ts'
import type { CliSession } from '../cli/framework/run.ts'
import { readTextStream } from '../cli/framework/text-file.ts'
import type { Terminal } from '../core/contract/command.ts'

export interface RecordedSession extends CliSession {
  readonly out: string[]
  readonly err: string[]
  interrupt(): void
}

/** A session that keeps what is printed; its questions get the `answers` in turn, then the end of the input. */
export function recordSession(
  facts: Partial<Terminal> & { stdin?: string; answers?: readonly string[] } = {}
): RecordedSession {
  const { stdin = '', answers = [], ...terminal } = facts
  const waiting = [...answers]
  const out: string[] = []
  const err: string[] = []
  const interrupt = new AbortController()
  return {
    out,
    err,
    interrupt: () => interrupt.abort(),
    print: text => void out.push(text),
    actor: 'operator',
    debug: false,
    terminal: {
      ...createNotes({
        write: text => void err.push(text.replace(/\n$/, '')),
        isLive: false,
        columns: 80,
        now: () => 0
      }),
      ask: async question => {
        err.push(question)
        return waiting.shift() ?? null
      },
      readStdin: async limits =>
        limits === undefined ? stdin : readTextStream(Readable.from([Buffer.from(stdin)]), limits),
      cwd: '/',
      isInteractive: false,
      columns: 80,
      hasColour: false,
      timeZone: 'UTC',
      signal: interrupt.signal,
      ...terminal
    }
  }
}
