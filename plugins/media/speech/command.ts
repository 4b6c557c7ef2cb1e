import { spawn } from 'node:child_process'
import os from 'node:os'
import { errorCode, type Settings } from '#core'
import { oneLine, truncateText } from '#text/excerpts'
import type { SpeechDriver } from '../index.ts'
import type { MediaSettings } from '../settings.ts'
import { maxWavBytes, SpeechError, tooLong } from './speech-error.ts'

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
  async speak({ text, language }, signal) {
    const [program, ...args] = settings.get('speech_command')
    if (program === undefined) throw new SpeechError(incomplete)
    return runProgram(
      program,
      args.map(arg => arg.replaceAll('{language}', language)),
      text,
      signal
    )
  }
})

async function runProgram(
  program: string,
  args: readonly string[],
  text: string,
  signal: AbortSignal
): Promise<Buffer> {
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
    return await new Promise<Buffer>((resolve, reject) => {
      const wav = collect(child.stdout, maxWavBytes, () => reject(tooLong(program)))
      const words = collect(child.stderr, maxWordsBytes)
      child.on('error', error => reject(notStarted(program, error)))
      child.on('close', (code, by) => (code === 0 ? resolve(wav()) : reject(ended(program, code ?? by, words()))))
      // It may end without reading its text.
      child.stdin.on('error', () => {})
      child.stdin.end(`${text}\n`)
      lowerPriority(child.pid)
    })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', kill)
    kill()
  }
}

/** Keeps the first `maxBytes`; `onMore` is called for the first byte beyond them. */
function collect(stream: NodeJS.ReadableStream, maxBytes: number, onMore: () => void = () => {}): () => Buffer {
  const parts: Buffer[] = []
  let bytes = 0
  stream.on('data', (part: Buffer) => {
    if (bytes <= maxBytes && bytes + part.length > maxBytes) onMore()
    bytes += part.length
    if (bytes <= maxBytes) parts.push(part)
  })
  return () => Buffer.concat(parts)
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) os.setPriority(pid, os.constants.priority.PRIORITY_LOW)
  } catch {
    // It has ended already.
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
