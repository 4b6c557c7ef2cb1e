// Runs a voice by sherpa-onnx in a process of its own: a model that the runtime dies of takes only this one down.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { beChild } from '#child-process/be-child'
import { answerRequests } from '#child-process/worker-main'
import type { VoiceRequest } from './folder-protocol.ts'
import { type VoiceAnswer, writeAnswer } from './voice-answer.ts'

/** What is used of sherpa-onnx-node. */
interface Runtime {
  readonly OfflineTts: new (config: { model: VoiceConfig; maxNumSentences: number }) => Voice
}
interface Voice {
  generate(request: { text: string; sid: number; speed: number }): { samples: Float32Array; sampleRate: number }
}
interface VoiceConfig {
  numThreads: number
  provider: 'cpu'
  vits?: Record<string, string>
  kokoro?: Record<string, string>
}

beChild()

const [folder = '', runtime = ''] = process.argv.slice(2)
let voice: Promise<Voice> | undefined

answerRequests(async ({ text, file, speaker }: VoiceRequest): Promise<VoiceAnswer> => {
  try {
    voice ??= load()
    const { samples, sampleRate } = (await voice).generate({ text, sid: speaker, speed: 1 })
    return writeAnswer(file, wavOf(samples, sampleRate))
  } catch (error) {
    voice = undefined
    throw error
  }
})

async function load(): Promise<Voice> {
  const imported: Runtime & { default?: Runtime } = await import(runtime)
  const { OfflineTts } = imported.default ?? imported
  return new OfflineTts({ model: configOf(readdirSync(folder)), maxNumSentences: 1 })
}

/** A folder as the releases of sherpa-onnx have it: of VITS (piper), or of Kokoro, which has voices.bin. */
function configOf(names: readonly string[]): VoiceConfig {
  const at = (name: string) => (names.includes(name) ? path.join(folder, name) : '')
  const model = names.filter(name => name.endsWith('.onnx')).sort()[0]
  if (model === undefined || at('tokens.txt') === '') throw new Error('it holds no *.onnx with a tokens.txt')
  const files = {
    model: path.join(folder, model),
    tokens: at('tokens.txt'),
    lexicon: at('lexicon.txt'),
    dataDir: at('espeak-ng-data')
  }
  const kind =
    at('voices.bin') === '' ? { vits: files } : { kokoro: Object.assign(files, { voices: at('voices.bin') }) }
  return Object.assign(kind, { numThreads: 1, provider: 'cpu' as const })
}

/** 32-bit numbers, as the engine gives them. */
function wavOf(samples: Float32Array, sampleRate: number): Uint8Array {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + samples.byteLength, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(3, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(sampleRate, 24)
  header.writeUInt32LE(sampleRate * 4, 28)
  header.writeUInt16LE(4, 32)
  header.writeUInt16LE(32, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(samples.byteLength, 40)
  return Buffer.concat([header, Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)])
}
