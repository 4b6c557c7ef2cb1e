import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import type { Settings } from '#core'
import type { SpeechDriver } from '../index.ts'
import type { MediaSettings } from '../settings.ts'
import type { VoiceAnswer, VoiceRequest, VoiceStart } from './folder-protocol.ts'
import { isInstalled } from './installed.ts'
import { SpeechError } from './speech-error.ts'

/** Compiled, it lies beside this file as JavaScript: the compiler does not rewrite a URL. */
const main = new URL(`./folder-worker${path.extname(import.meta.url)}`, import.meta.url)

const incomplete =
  'The setting speech_driver is folder, but speech_model_path is empty: set it to the folder of a voice.'

/** A model that waits takes as much memory as one that works. */
const maxIdleMs = 60_000

/** A neural voice in a folder of this machine, run by sherpa-onnx where it is installed. `runtime` names its package. */
export function createFolderSpeech(
  settings: Pick<Settings<MediaSettings>, 'get'>,
  runtime = 'sherpa-onnx-node'
): SpeechDriver {
  let running: Running | undefined
  let idleTimer: NodeJS.Timeout | undefined
  const folder = () => settings.get('speech_model_path')
  const take = (): Running => {
    clearTimeout(idleTimer)
    if (running?.isFor(folder()) !== true) {
      running?.end()
      running = start({ folder: folder(), runtime })
    }
    return running
  }
  const endSoon = () => {
    clearTimeout(idleTimer)
    idleTimer = setTimeout(() => running?.end(), maxIdleMs).unref()
  }
  return {
    get voice() {
      return `${path.basename(folder())} ${settings.get('speech_voice')}`.trim()
    },
    get installFault() {
      return isInstalled(runtime) ? null : notInstalled
    },
    get settingsFault() {
      return folder() === '' ? incomplete : null
    },
    async speak({ text }, signal) {
      if (folder() === '') throw new SpeechError(incomplete)
      signal.throwIfAborted()
      const voice = take()
      const end = () => voice.end()
      signal.addEventListener('abort', end)
      try {
        return await voice.ask(text, Number(settings.get('speech_voice')) || 0)
      } finally {
        signal.removeEventListener('abort', end)
        endSoon()
      }
    }
  }
}

interface Running {
  isFor(folder: string): boolean
  ask(text: string, speaker: number): Promise<Uint8Array>
  end(): void
}

function start(given: VoiceStart): Running {
  const child = forkVoice(given)
  const waiting = new Map<number, PromiseWithResolvers<Uint8Array>>()
  let last = 0
  let isAlive = true
  const failAll = (reason: string) => {
    isAlive = false
    for (const { reject } of waiting.values()) reject(faultOf(given, reason))
    waiting.clear()
  }
  child.on('message', (answer: VoiceAnswer) => {
    const asked = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (waiting.size === 0) setReferenced(child, false)
    if (answer.kind === 'spoken') asked?.resolve(answer.wav)
    else
      asked?.reject(
        answer.kind === 'missing'
          ? new SpeechError(`The setting speech_driver ${notInstalled}.`)
          : faultOf(given, answer.reason)
      )
  })
  child.on('error', error => failAll(error.message))
  child.on('exit', (code, signal) => failAll(`its process ended with ${code ?? signal}`))
  return {
    isFor: folder => isAlive && folder === given.folder,
    end: () => {
      isAlive = false
      child.kill('SIGKILL')
    },
    ask: (text, speaker) => {
      const asked = Promise.withResolvers<Uint8Array>()
      waiting.set(++last, asked)
      setReferenced(child, true)
      child.send({ id: last, text, speaker } satisfies VoiceRequest, error => {
        if (error !== null) failAll(error.message)
      })
      return asked.promise
    }
  }
}

/** It gets nothing of this process's environment, which holds keys, but where the libraries of the runtime lie. */
function forkVoice({ folder, runtime }: VoiceStart): ChildProcess {
  const { LD_LIBRARY_PATH } = process.env
  const child = fork(main, [folder, runtime], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: LD_LIBRARY_PATH === undefined ? {} : { LD_LIBRARY_PATH },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced'
  })
  setReferenced(child, false)
  return child
}

/** An idle one does not keep the process alive. */
function setReferenced(child: ChildProcess, isReferenced: boolean): void {
  for (const part of [child, child.channel]) {
    if (isReferenced) part?.ref()
    else part?.unref()
  }
}

const faultOf = ({ folder }: VoiceStart, reason: string) =>
  new SpeechError(`The voice in ${folder} does not speak: ${reason}.`)

const notInstalled = 'is folder, which needs a runtime: npm install sherpa-onnx-node beside galley'
