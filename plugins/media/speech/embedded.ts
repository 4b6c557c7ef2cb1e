import os from 'node:os'
import { forkModule, moduleAt } from '#child-process/fork'
import { createWorkerProcess, processEnded, WorkerError } from '#child-process/worker-process'
import type { Settings } from '#core'
import { withoutFullStop } from '#text/excerpts'
import type { SpeechDriver, SpokenText } from '../index.ts'
import type { MediaSettings } from '../settings.ts'
import type { EspeakRequest } from './espeak-protocol.ts'
import { isInstalled } from './installed.ts'
import { requireWritten } from './require-written.ts'
import { SpeechError } from './speech-error.ts'
import type { VoiceAnswer } from './voice-answer.ts'

const main = moduleAt('./espeak-worker', import.meta.url)

/** An idle process takes some 150 MB. */
const maxIdleMs = 20_000
const niceness = os.constants.priority.PRIORITY_LOW
/** Its own memory is that of WebAssembly. */
const heapMb = 64

/**
 * espeak-ng as WebAssembly: needs nothing, and speaks some hundred languages like a machine. It runs in a process of its own,
 * one text after the other: a text takes 20 ms, so that a second process would only take memory.
 */
export function createEmbeddedSpeech(settings: Pick<Settings<MediaSettings>, 'get'>): SpeechDriver {
  const engine = createWorkerProcess<EspeakRequest, VoiceAnswer>(() => forkModule(main, { heapMb, niceness }), {
    maxIdleMs
  })
  const chosen = () => settings.get('speech_voice')
  return {
    unload: engine.end,
    get installFault() {
      return isInstalled('espeak-ng') ? null : notInstalled
    },
    get voice() {
      return `espeak-ng 1.0.2 ${chosen()}`.trim()
    },
    get isMonolingual() {
      return !isOwnVoice(chosen())
    },
    async speak(spoken, signal) {
      const voices = voicesFor(spoken, chosen())
      const { text, file } = spoken
      if (voices.some(isJapanese) && kanji.test(text)) throw kanjiUnread()
      const answer = await engine.ask({ text, file, voices }, signal).catch(toSpeechError)
      if (answer.kind === 'voiceless') throw isOwnVoice(chosen()) ? unknownVoice(chosen()) : voiceless(voices)
      requireWritten(answer, file)
      return null
    }
  }
}

const notInstalled =
  'is embedded, but the optional package espeak-ng is not installed: npm install espeak-ng, or choose another engine'

/** Languages that espeak-ng has under another name. */
const otherNames: Readonly<Record<string, string>> = { zh: 'cmn', no: 'nb', iw: 'he', in: 'id' }

/** Its voice says the English words "Chinese letter" for each kanji. */
const isJapanese = (voice: string): boolean => /^ja(?![a-z])/i.test(voice)
const kanji = /\p{Script=Han}/u

/** Not a variant of the language's own, which begins with `+`. */
const isOwnVoice = (chosen: string): boolean => chosen !== '' && !chosen.startsWith('+')

/** Voices by name, the best one first. */
function voicesFor({ language }: SpokenText, chosen: string): string[] {
  if (isOwnVoice(chosen)) return [chosen]
  const tag = language.toLowerCase()
  const [base = ''] = tag.split('-')
  return [...new Set([tag, otherNames[base] ?? base])].map(name => name + chosen)
}

function toSpeechError(error: unknown): never {
  if (!(error instanceof WorkerError)) throw error
  if (error.code === 'ERR_MODULE_NOT_FOUND') throw new SpeechError(`The setting speech_driver ${notInstalled}.`)
  throw new SpeechError(`espeak-ng failed: ${withoutFullStop(error.message)}.`, {
    retryAfterMs: error.code === processEnded ? 0 : null,
    cause: error
  })
}

const kanjiUnread = () =>
  new SpeechError(
    'espeak-ng cannot read kanji, and says "Chinese letter" for each: choose another speech_driver for posts in Japanese.'
  )

const unknownVoice = (voice: string) =>
  new SpeechError(
    `The setting speech_voice is ${voice}, which is no voice of espeak-ng: set one as en-gb, a variant as +f3, or none with galley settings unset speech_voice.`
  )

const voiceless = (voices: readonly string[]) =>
  new SpeechError(
    `espeak-ng has no voice ${voices.join(' or ')}: correct the post's language, or choose another speech_driver.`
  )
