import { type ChildProcess, spawn } from 'node:child_process'
import { rm, statfs } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { lowerSessionPriority } from '#child-process/priority'
import { errorCode, type Settings } from '#core'
import { oneLine, truncateText, withoutFullStop } from '#text/excerpts'
import { WavError } from '../audio/wav.ts'
import type { SpeechDriver, SpokenText } from '../index.ts'
import type { MediaSettings } from '../settings.ts'
import { cannotBeWritten } from '../work-fault.ts'
import { type CommandFiles, isTooMuch, openCommandFiles, readEnd, watchSizes } from './command-files.ts'
import { noWav, SpeechError, tooLong } from './speech-error.ts'
import { readSpokenFile } from './wav-file.ts'

const incomplete =
  'The setting speech_driver is command, but speech_command is empty: set it to a program and its arguments, as ["flite", "-voice", "slt", "-f", "/dev/stdin", "-o", "/dev/stdout"].'

/** Of what it says on stderr: the last words tell why it ended. */
const maxWordsBytes = 4000
const maxWordsLines = 2
const maxWordsLength = 200

/** A program of the operator's: text on stdin, a WAV on stdout. No shell sees the text or the arguments. */
export const createCommandSpeech = (settings: Pick<Settings<MediaSettings>, 'get'>): SpeechDriver => ({
  get voice() {
    return settings.get('speech_command').join(' ')
  },
  get settingsFault() {
    return settings.get('speech_command').length === 0 ? incomplete : null
  },
  concurrency: 2,
  async speak({ text, language, file }, signal) {
    const [program, ...args] = settings.get('speech_command')
    if (program === undefined) throw new SpeechError(incomplete)
    const given = args.map(arg => arg.replaceAll('{language}', language))
    await runProgram([program, ...given], { text, file }, signal)
    return null
  }
})

async function runProgram(
  command: readonly [string, ...string[]],
  { text, file }: Pick<SpokenText, 'text' | 'file'>,
  signal: AbortSignal
): Promise<void> {
  const files = await openCommandFiles(file, `${text}\n`)
  try {
    await runWith(files, command, signal)
    await requireWav(files, command[0], { text, file })
  } catch (error) {
    const isFull = await hasNoRoom(path.dirname(file))
    // Its caller may have gone before it was there.
    await rm(file, { force: true })
    throw isFull && error instanceof SpeechError ? cannotBeWritten(path.dirname(file), 'ENOSPC', error) : error
  } finally {
    await files.close()
  }
}

async function runWith(
  files: CommandFiles,
  [program, ...args]: readonly [string, ...string[]],
  signal: AbortSignal
): Promise<void> {
  signal.throwIfAborted()
  const child = spawn(program, args, {
    cwd: os.tmpdir(),
    // Nothing else of this process's environment, which holds keys.
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8' },
    stdio: [files.input.fd, files.output.fd, files.messages.fd],
    // A group of its own: what it starts ends with it.
    detached: true
  })
  const kill = () => endGroup(child.pid)
  const watch = new AbortController()
  signal.addEventListener('abort', kill)
  const watched = watchSizes(files, watch.signal, kill)
  let status: unknown
  try {
    status = await endOf(child, program)
  } finally {
    signal.removeEventListener('abort', kill)
    kill()
    watch.abort()
    await watched
  }
  signal.throwIfAborted()
  if (await isTooMuch(files)) throw tooLong(program)
  if (status === 0) return
  // One that is killed may have found no memory; what it ends with by itself it will end with again.
  throw new SpeechError(`${program} ended with ${status}${await errorOutput(files)}.`, {
    retryAfterMs: typeof status === 'string' ? 0 : null
  })
}

/** The program writes the file itself: what it makes of a full disk is up to it. */
const minFreeBytes = 1_000_000

async function hasNoRoom(folder: string): Promise<boolean> {
  const free = await statfs(folder).catch(() => undefined)
  return free !== undefined && free.bavail * free.bsize < minFreeBytes
}

/** Its exit status, or the signal that ended it. */
function endOf(child: ChildProcess, program: string): Promise<unknown> {
  void lowerSessionPriority(child.pid, os.constants.priority.PRIORITY_LOW)
  return new Promise((resolve, reject) => {
    child.on('error', error => reject(notStarted(program, error)))
    child.on('exit', (code, by) => resolve(code ?? by))
  })
}

/** A program that ends well may have said why it gave nothing. @throws SpeechError */
async function requireWav(
  files: CommandFiles,
  program: string,
  spoken: Pick<SpokenText, 'text' | 'file'>
): Promise<void> {
  try {
    await readSpokenFile(spoken)
  } catch (error) {
    if (!(error instanceof WavError)) throw error
    throw noWav(program, error, await errorOutput(files))
  }
}

/** What it said last, to go on with in a message. */
async function errorOutput({ messages }: CommandFiles): Promise<string> {
  const text = (await readEnd(messages, maxWordsBytes)).toString('utf8').replace(colours, '')
  const lines = text
    .split(/[\r\n]+/)
    .map(line => oneLine(line.replace(/[\p{Cc}\p{Cf}]+/gu, ' ')))
    .filter(Boolean)
  const said = withoutFullStop(truncateText(lines.slice(-maxWordsLines).join(' '), maxWordsLength))
  return said === '' ? '' : `, saying: ${said}`
}

/** Of terminals. */
const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, 'g')

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

const notStarted = (program: string, cause: Error) =>
  new SpeechError(`${program} could not be started (${errorCode(cause)}): correct speech_command, or install it.`, {
    cause
  })
