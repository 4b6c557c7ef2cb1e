import os from 'node:os'
import path from 'node:path'
import { forkModule, moduleAt } from '#child-process/fork'
import { createWorkerProcess, processEnded, WorkerError } from '#child-process/worker-process'
import type { Settings } from '#core'
import { withoutFullStop } from '#text/excerpts'
import type { SpeechDriver } from '../index.ts'
import type { MediaSettings } from '../settings.ts'
import type { VoiceRequest } from './folder-protocol.ts'
import { isInstalled } from './installed.ts'
import { requireWritten } from './require-written.ts'
import { SpeechError } from './speech-error.ts'
import type { VoiceAnswer } from './voice-answer.ts'

const main = moduleAt('./folder-worker', import.meta.url)

const incomplete =
  'The setting speech_driver is folder, but speech_model_path is empty: set it to the folder of a voice.'

/** A model that waits takes as much memory as one that works. */
const maxIdleMs = 60_000
const niceness = os.constants.priority.PRIORITY_LOW
/** The model is not in it. */
const heapMb = 128

/** A neural voice in a folder of this machine, run by sherpa-onnx where it is installed. `runtime` names its package. */
export function createFolderSpeech(
  settings: Pick<Settings<MediaSettings>, 'get'>,
  runtime = 'sherpa-onnx-node'
): SpeechDriver {
  const folder = () => settings.get('speech_model_path')
  let loaded = ''
  const engine = createWorkerProcess<VoiceRequest, VoiceAnswer>(
    () => forkModule(main, { args: [loaded, runtime], heapMb, niceness, environment: libraryPath() }),
    { maxIdleMs }
  )
  return {
    get voice() {
      return `${path.basename(folder())} ${settings.get('speech_voice')}`.trim()
    },
    get installFault() {
      return isInstalled(runtime) ? null : notInstalled
    },
    get settingsFault() {
      return faultOfSettings(folder(), settings.get('speech_voice'))
    },
    async speak({ text, file }, signal) {
      const fault = faultOfSettings(folder(), settings.get('speech_voice'))
      if (fault !== null) throw new SpeechError(fault)
      if (folder() !== loaded) engine.end()
      loaded = folder()
      const request = { text, file, speaker: Number(settings.get('speech_voice')) }
      const answer = await engine.ask(request, signal).catch(error => {
        throw faultOf(loaded, error)
      })
      requireWritten(answer, file)
      return null
    }
  }
}

function faultOfSettings(folder: string, voice: string): string | null {
  if (folder === '') return incomplete
  if (/^\d{0,6}$/.test(voice)) return null
  return `The setting speech_voice is ${voice}, but a voice in a folder has numbers of speakers: set one, or none with galley settings unset speech_voice.`
}

/** Where the libraries of the runtime lie. */
function libraryPath(): Record<string, string> {
  const { LD_LIBRARY_PATH } = process.env
  return LD_LIBRARY_PATH === undefined ? {} : { LD_LIBRARY_PATH }
}

function faultOf(folder: string, error: unknown): unknown {
  if (!(error instanceof WorkerError)) return error
  if (error.code === 'ERR_MODULE_NOT_FOUND') return new SpeechError(`The setting speech_driver ${notInstalled}.`)
  return new SpeechError(`The voice in ${folder} does not speak: ${withoutFullStop(error.message)}.`, {
    retryAfterMs: error.code === processEnded ? 0 : null,
    cause: error
  })
}

const notInstalled = 'is folder, which needs a runtime: npm install sherpa-onnx-node beside galley'
