import type { Terminal } from '../../core/command.ts'
import type { Session } from '../../core/command-run.ts'

export interface RecordedSession extends Session {
  readonly out: string[]
  readonly err: string[]
  interrupt(): void
}

/** A session that keeps what is printed. */
export function recordSession(facts: Partial<Terminal> & { stdin?: string } = {}): RecordedSession {
  const { stdin = '', ...terminal } = facts
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
      note: line => void err.push(line),
      readStdin: async () => stdin,
      cwd: '/',
      interactive: false,
      columns: 80,
      colour: false,
      signal: interrupt.signal,
      ...terminal
    }
  }
}
