import type { Terminal } from '../../core/contract/command.ts'
import { AppError } from '../../core/contract/errors.ts'
import type { CliSession } from '../framework/run.ts'
import type { RunLine } from './socket.ts'

interface Caller {
  run: RunLine
  terminal: Terminal
  /** Who calls, for histories. */
  actor: string
}

/** Runs a command where `run` runs it and returns its JSON. @throws AppError with what it printed when it fails. */
export async function callCommand(argv: readonly string[], { run, terminal, actor }: Caller): Promise<unknown> {
  const printed: string[] = []
  const noted: string[] = []
  const session: CliSession = {
    terminal: { ...terminal, hasColour: false, isInteractive: false, note: line => void noted.push(line) },
    print: text => void printed.push(text),
    actor,
    debug: false
  }
  const status = await run([...argv, '--json'], session)
  if (status !== 0)
    throw new AppError('INTERNAL_ERROR', `"galley ${argv.slice(0, 2).join(' ')}" failed: ${failureOf(noted)}`)
  return JSON.parse(printed.join('\n'))
}

/** A failure is the last line, as JSON. */
function failureOf(noted: readonly string[]): string {
  try {
    return String(JSON.parse(noted.at(-1) ?? '').message)
  } catch {
    return noted.join(' ')
  }
}

/** A text in a JSON answer. @throws TypeError when it has none of that name. */
export function textIn(answer: unknown, name: string): string {
  const text: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : undefined
  if (typeof text !== 'string') throw new TypeError(`The answer has no text ${name}.`)
  return text
}
