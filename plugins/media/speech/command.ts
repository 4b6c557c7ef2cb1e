import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import os from 'node:os'
import { lowerSessionPriority } from '#child-process/priority'
import { errorCode, type Settings, UnavailableError } from '#core'
import { oneLine, truncateText } from '#text/excerpts'
import type { SpeechDriver, SpokenText } from '../index.ts'
import type { MediaSettings } from '../settings.ts'
import { SpeechError, tooLong } from './speech-error.ts'
import { writeWavFile } from './wav-file.ts'

const incomplete =
  'The setting speech_driver is command, but speech_command is empty: set it to a program and its arguments, as ["flite", "-voice", "slt", "-f", "/dev/stdin", "-o", "/dev/stdout"].'

/** Of what it says on stderr. */
const maxWordsBytes = 4000
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
  [program, ...args]: readonly [string, ...string[]],
  { text, file }: Pick<SpokenText, 'text' | 'file'>,
  signal: AbortSignal
): Promise<void> {
  signal.throwIfAborted()
  const child = spawn(program, args, {
    cwd: os.tmpdir(),
    // Nothing else of this process's environment, which holds keys.
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8' },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own: what it starts ends with it.
    detached: true
  })
  const kill = () => endGroup(child.pid)
  signal.addEventListener('abort', kill)
  try {
    const written = writeWavFile(file, child.stdout)
    await Promise.all([endOf(child, program, text), withinLimit(written, program)])
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', kill)
    kill()
  }
}
/** Gives the program its text, and waits for its end. */
function endOf(child: ChildProcessWithoutNullStreams, program: string, text: string): Promise<void> {
  const words = collect(child.stderr, maxWordsBytes)
  const end = new Promise<void>((resolve, reject) => {
    child.on('error', error => reject(notStarted(program, error)))
    child.on('close', (code, by) => (code === 0 ? resolve() : reject(ended(program, code ?? by, words()))))
  })
  // It may end without reading its text.
  child.stdin.on('error', () => {})
  child.stdin.end(`${text}\n`)
  void lowerSessionPriority(child.pid, os.constants.priority.PRIORITY_LOW)
  return end
}

async function withinLimit(written: Promise<number | null>, program: string): Promise<void> {
  const bytes = await written.catch(error => {
    if (error instanceof UnavailableError) throw error
    // Its output broke off: its end tells why.
    return 0
  })
  if (bytes === null) throw tooLong(program)
}

/** Keeps the first `maxBytes`. */
function collect(stream: NodeJS.ReadableStream, maxBytes: number): () => Buffer {
  const parts: Buffer[] = []
  let bytes = 0
  stream.on('data', (part: Buffer) => {
    if (bytes < maxBytes) parts.push(part)
    bytes += part.length
  })
  return () => Buffer.concat(parts).subarray(0, maxBytes)
}

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

function ended(program: string, status: unknown, words: Buffer): SpeechError {
  const said = truncateText(oneLine(words.toString('utf8').replace(/\p{Cc}+/gu, ' ')), maxWordsLength)
  return new SpeechError(`${program} ended with ${status}${said === '' ? '' : `, saying: ${said}`}.`)
}
