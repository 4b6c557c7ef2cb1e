import { withoutFullStop } from '#text/excerpts'
import { BootError } from '../../core/contract/boot-error.ts'
import type { Command, CommandOutput, Terminal } from '../../core/contract/command.ts'
import { AppError, InputError } from '../../core/contract/errors.ts'
import { asError, messageOf } from '../../core/unknown.ts'
import { localizeInstants } from '../../time/instant.ts'
import { remedyOfDenial } from '../database/statement-faults.ts'
import { firstWord, wantsJson } from './arguments.ts'
import { describeProgram, type Program } from './catalogue.ts'
import { CommandExit } from './command-exit.ts'
import { isConfirmed } from './confirm.ts'
import { withArgumentNames } from './input-faults.ts'
import { type Request, resolveLine } from './resolve.ts'
import { sanitizeJson, sanitizeLine, sanitizeValue } from './sanitize.ts'
import { UsageError } from './usage-error.ts'

/** One run of a command line: where it reads, prints, and who runs it. */
export interface CliSession {
  readonly terminal: Terminal
  /** Writes a line to stdout. */
  print(text: string): void
  /** Aborted when whoever read stdout has gone; absent where that cannot be. */
  readonly closed?: AbortSignal
  readonly actor: string
  /** True with `LOG_LEVEL=debug`: an unexpected error shows where it came from. */
  readonly debug: boolean
}

interface ProgramOptions {
  name: string
  version: string
  program: Program
  /** Zone that times are shown in; default: the terminal's. */
  timeZone?: () => string
  /** Adds details to a usage error before it is printed. */
  explain?: (error: unknown) => Promise<unknown>
}

/** Status of a run that was interrupted: 128 + SIGINT. */
export const interruptedStatus = 130

/** Waits this long for an interrupted command to undo what it began. */
const interruptGraceMs = 2_000

/** Runs one command line. Returns its exit status: 0, 1 (refused or failed), 2 (usage), 130 (interrupted). Never throws. */
export async function runProgram(
  options: ProgramOptions,
  argv: readonly string[],
  session: CliSession
): Promise<number> {
  try {
    const first = firstWord(argv)
    const catalogue = await describeProgram(options.program, [first])
    const request = await resolveLine(catalogue, argv, { ...options, hasColour: session.terminal.hasColour })
    return await execute(options, request, session)
  } catch (thrown) {
    if (session.terminal.signal.aborted) return interruptedStatus
    if (thrown instanceof CommandExit) return thrown.status
    const error = asError(thrown)
    const timeZone = options.timeZone?.()
    const explained = options.explain === undefined ? error : await options.explain(error)
    return reportError(explained, { session, json: wantsJson(argv), ...(timeZone === undefined ? {} : { timeZone }) })
  }
}

async function execute({ program, timeZone }: ProgramOptions, request: Request, session: CliSession): Promise<number> {
  if (request.kind === 'text') {
    session.print(request.text)
    return 0
  }
  const { args, json } = request
  const terminal = { ...session.terminal, timeZone: timeZone?.() ?? session.terminal.timeZone }
  const command = await load(program, request.path)
  const refuse = (error: unknown): never => {
    throw withArgumentNames(error, command.args, args)
  }
  if (!(await isConfirmed(command, { args, isJson: json, terminal }).catch(refuse))) {
    terminal.note('Nothing was changed.')
    return 1
  }
  const output = outputOf(session, json)
  const work = command.run({ args, isJson: json, terminal, actor: session.actor, output }).catch(refuse)
  const result = await interruptible(work, terminal.signal)
  const text = json ? jsonOf(result) : result === undefined ? '' : command.text(sanitizeValue(result), terminal, args)
  if (text !== '' && text !== undefined) session.print(text)
  // It came too late to stop the command; what was to come after it is not to begin.
  return terminal.signal.aborted ? interruptedStatus : (command.exitStatus?.(result, args) ?? 0)
}

/** What steers a terminal is taken out of each line. */
function outputOf({ print, closed = new AbortController().signal }: CliSession, json: boolean): CommandOutput {
  return { print: line => print(json ? sanitizeJson(line) : sanitizeLine(line)), closed }
}

const jsonOf = (result: unknown): string | undefined => {
  const json: string | undefined = JSON.stringify(result, null, 2)
  return json && sanitizeJson(json)
}

// biome-ignore lint/suspicious/noExplicitAny: the arguments were read by this very command's definitions
async function load(program: Program, [first = '', second = '']: readonly string[]): Promise<Command<any, unknown>> {
  const entry = program[first]
  const command =
    entry !== undefined && ('loadCommand' in entry ? await entry.loadCommand() : (await entry.load())[second])
  if (!command) throw new TypeError(`The catalogue knows ${first} ${second}, the program does not: build again.`)
  return command
}

/** Settles with the command; once interrupted, at the latest after the grace time. */
async function interruptible<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = () => setTimeout(() => reject(signal.reason), interruptGraceMs).unref()
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Prints a failure on stderr, as one JSON line with `json`. Returns the exit status. */
export function reportError(
  error: unknown,
  { session, json, timeZone = 'UTC' }: { session: CliSession; json: boolean; timeZone?: string }
): number {
  const failure = describeFailure(error, session.debug)
  const lines = json
    ? [sanitizeJson(JSON.stringify(failure.body))]
    : failure.lines.map(line => sanitizeLine(localizeInstants(line, timeZone)))
  for (const line of lines) session.terminal.note(line)
  return failure.status
}

interface Failure {
  status: number
  lines: string[]
  body: { error_code: string; message: string; errors: Readonly<Record<string, string>> }
}

function describeFailure(error: unknown, debug: boolean): Failure {
  if (error instanceof UsageError) {
    const lines = [...error.lines.map(line => `error: ${line}`), ...(error.usage === undefined ? [] : [error.usage])]
    return { status: 2, lines, body: { error_code: 'VALIDATION_ERROR', message: error.message, errors: error.fields } }
  }
  if (error instanceof AppError) {
    const { code, fields } = error
    const message = messageFor(error)
    // What the message says already is not said twice.
    const rest = Object.entries(fields).filter(([, fault]) => !message.includes(fault))
    const lines = [`error: ${message}`, ...rest.map(([name, fault]) => `  ${name}: ${fault}`)]
    return { status: exitStatusOf(code), lines, body: { error_code: code, message, errors: fields } }
  }
  return describeUnexpected(error, debug)
}

/** The lines below name every fault, so that a message without more than that need not point to them. */
const messageFor = (error: AppError): string =>
  error instanceof InputError && !error.hasOwnMessage ? 'The request is not valid.' : (error.detail ?? error.message)

/** 2 where the command line is at fault. */
const exitStatusOf = (code: string): number => (code === 'VALIDATION_ERROR' || code === 'AMBIGUOUS_ID' ? 2 : 1)

function describeUnexpected(error: unknown, debug: boolean): Failure {
  const remedy = remedyOfDenial(error)
  const message = remedy === undefined ? messageOf(error) : `${withoutFullStop(messageOf(error))}. ${remedy}`
  const stack = error instanceof Error && error.stack !== undefined ? error.stack.split('\n').slice(1) : []
  // A failure to boot lists its problems itself; anything else is ours, and its origin is of use to whoever reports it.
  const isListed = error instanceof BootError || remedy !== undefined
  const hint = isListed || debug ? '' : ' (LOG_LEVEL=debug shows where this came from)'
  const lines = [...`error: ${message}${hint}`.split('\n'), ...(debug ? stack : [])]
  return { status: 1, lines, body: { error_code: 'INTERNAL_ERROR', message, errors: {} } }
}
