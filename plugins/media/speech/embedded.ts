import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Settings } from '#core'
import type { SpeechDriver, SpokenText } from '../index.ts'
import type { MediaSettings } from '../settings.ts'
import type { EspeakAnswer, EspeakRequest } from './espeak-protocol.ts'
import { isInstalled } from './installed.ts'
import { SpeechError } from './speech-error.ts'

// The extension is that of this very file: .ts when run from source, .js when compiled.
const workerUrl = new URL(`./espeak-worker${path.extname(import.meta.url)}`, import.meta.url)

/** An idle thread takes some 180 MB. */
const maxIdleMs = 20_000

/**
 * espeak-ng as WebAssembly: needs nothing, and speaks some hundred languages like a machine. It runs in a thread of its own,
 * one text after the other: a text takes 20 ms, so that a second thread would only take memory.
 */
export function createEmbeddedSpeech(settings: Pick<Settings<MediaSettings>, 'get'>): SpeechDriver {
  let running: Running | undefined
  let idleTimer: NodeJS.Timeout | undefined
  const take = (): Running => {
    clearTimeout(idleTimer)
    if (running?.isAlive() !== true) running = start()
    return running
  }
  const endSoon = () => {
    clearTimeout(idleTimer)
    idleTimer = setTimeout(() => running?.end(), maxIdleMs).unref()
  }
  const voice = () => settings.get('speech_voice')
  return {
    unload: () => running?.end(),
    get installFault() {
      return isInstalled('espeak-ng') ? null : notInstalled
    },
    get voice() {
      return `espeak-ng 1.0.2 ${voice()}`.trim()
    },
    async speak(spoken, signal) {
      signal.throwIfAborted()
      const thread = take()
      // A thread cannot be interrupted.
      const end = () => thread.end()
      signal.addEventListener('abort', end)
      try {
        return await thread.ask({ text: spoken.text, voices: voicesFor(spoken, voice()) })
      } finally {
        signal.removeEventListener('abort', end)
        endSoon()
      }
    }
  }
}

const notInstalled =
  'is embedded, but the optional package espeak-ng is not installed: npm install espeak-ng, or choose another engine'

/** Languages that espeak-ng has under another name. */
const otherNames: Readonly<Record<string, string>> = { zh: 'cmn', no: 'nb', iw: 'he', in: 'id' }

/** Voices by name, the best one first. A chosen voice that begins with `+` is a variant of the language's own. */
function voicesFor({ language }: SpokenText, chosen: string): string[] {
  if (chosen !== '' && !chosen.startsWith('+')) return [chosen]
  const tag = language.toLowerCase()
  const [base = ''] = tag.split('-')
  return [...new Set([tag, otherNames[base] ?? base])].map(name => name + chosen)
}

interface Running {
  ask(request: Omit<EspeakRequest, 'id'>): Promise<Uint8Array>
  isAlive(): boolean
  end(): void
}

function start(): Running {
  const worker = new Worker(workerUrl, { name: 'espeak-ng', execArgv: [], env: {} })
  const waiting = new Map<number, PromiseWithResolvers<Uint8Array>>()
  let last = 0
  let isAlive = true
  const failAll = (reason: string, cause?: unknown) => {
    isAlive = false
    for (const { reject } of waiting.values()) reject(new SpeechError(`espeak-ng ended: ${reason}.`, { cause }))
    waiting.clear()
  }
  worker.on('message', (answer: EspeakAnswer) => {
    const asked = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (waiting.size === 0) worker.unref()
    if (answer.kind === 'spoken') asked?.resolve(answer.wav)
    else asked?.reject(errorOf(answer))
  })
  worker.on('error', error => failAll(error.message, error))
  worker.on('exit', code => failAll(`its thread ended with ${code}`))
  return {
    isAlive: () => isAlive,
    end: () => {
      isAlive = false
      void worker.terminate()
    },
    ask: request => {
      const asked = Promise.withResolvers<Uint8Array>()
      waiting.set(++last, asked)
      worker.ref()
      worker.postMessage({ id: last, text: request.text, voices: request.voices } satisfies EspeakRequest)
      return asked.promise
    }
  }
}

function errorOf(answer: Exclude<EspeakAnswer, { kind: 'spoken' }>): SpeechError {
  if (answer.kind === 'missing') return new SpeechError(`The setting speech_driver ${notInstalled}.`)
  if (answer.kind === 'voiceless')
    return new SpeechError(
      `espeak-ng has no voice ${answer.voices.join(' or ')}: correct the post's language or speech_voice, or choose another speech_driver.`
    )
  return new SpeechError(`espeak-ng failed: ${answer.reason}.`)
}
