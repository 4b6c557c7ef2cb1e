import { type Settings, UnavailableError } from '#core'
import { type Embedder, type EmbedOptions, embeddingDimensions } from '../index.ts'
import type { MemorySettings } from '../settings.ts'
import { createAvailability, type Use } from './availability.ts'

/** Vectors of one model. `floor` is the cosine of texts that have nothing in common. */
export interface Vectors {
  model: string
  floor: number
  embeddings: number[][]
}

/** The embedders by name, and the one the setting chooses. */
export interface Embedders {
  register(name: string, embedder: Embedder): void
  /** @throws UnavailableError when the setting names one that nobody registered. */
  chosen(): Embedder
  /** What `chosen` would throw, or what the settings of the chosen one lack; null when nothing is wrong with them. */
  chosenFault(): string | null
  /** What is wrong with a name for the setting; null when somebody registered it. */
  faultOf(name: string): string | null
  /** The name the setting holds. */
  chosenName(): string
  named(name: string): Embedder | undefined
  /** Vectors of the chosen one, checked and of unit length. @throws UnavailableError when it does not answer as it must. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Vectors>
  /** The same by any, for somebody who asks a question. */
  embedWith(embedder: Embedder, texts: readonly string[], signal: AbortSignal): Promise<Vectors>
  /** The same for texts that are stored: they may be large or at fault, which says nothing about questions. */
  embedStored(embedder: Embedder, texts: readonly string[], signal: AbortSignal): Promise<Vectors>
  /** One vector to rank passages by for a question. @throws UnavailableError as `embed`. */
  embedQuestionWith(embedder: Embedder, text: string, signal: AbortSignal): Promise<Vectors>
  /** True for some seconds after an embedder failed to answer a question, unless it has answered since, and until its `Retry-After` is over. */
  isUnavailable(embedder: Embedder): boolean
  /** True also after it failed to embed stored texts. */
  isUnavailableForStored(embedder: Embedder): boolean
}

export function createEmbedders(
  settings: Pick<Settings<MemorySettings>, 'get'>,
  now: () => number = Date.now
): Embedders {
  const availability = createAvailability(now)
  const embedFor =
    (use: Use, options: EmbedOptions = {}) =>
    async (embedder: Embedder, texts: readonly string[], signal: AbortSignal) => {
      const { model, floor = 0 } = embedder
      if (texts.length === 0) return { model, floor, embeddings: [] }
      const embeddings = await availability.answerOf(embedder, embedder.embed(texts, signal, options), signal, use)
      return { model, floor, embeddings: checkVectors(model, embeddings, texts.length) }
    }
  const embedTexts = embedFor('question')
  const known = new Map<string, Embedder>()
  const chosen = () => {
    const name = settings.get('embedder')
    const embedder = known.get(name)
    if (embedder !== undefined) return embedder
    throw new UnavailableError(unknownName(name))
  }
  const unknownName = (name: string) =>
    `The setting embedder is ${name}, which no plugin provides: set it to ${[...known.keys()].join(' or ')}.`
  const embedders: Embedders = {
    register(name, embedder) {
      if (known.has(name)) throw new TypeError(`An embedder named ${name} is registered already.`)
      known.set(name, embedder)
    },
    chosen,
    chosenFault: () => {
      const embedder = known.get(settings.get('embedder'))
      return embedder === undefined ? unknownName(settings.get('embedder')) : (embedder.settingsFault ?? null)
    },
    faultOf: name => (known.has(name) ? null : `must be one of ${[...known.keys()].join(', ')}`),
    chosenName: () => settings.get('embedder'),
    named: name => known.get(name),
    embed: async (texts, signal) => embedTexts(chosen(), texts, signal),
    embedWith: embedFor('question', { isQuestion: true }),
    embedStored: embedFor('stored'),
    embedQuestionWith: async (embedder, text, signal) => {
      if (embedder.embedQuestion === undefined) return await embedders.embedWith(embedder, [text], signal)
      const { model, floor = 0 } = embedder
      const vector = await availability.answerOf(embedder, embedder.embedQuestion(text, signal), signal, 'question')
      return { model, floor, embeddings: checkVectors(model, [vector], 1) }
    },
    isUnavailable: availability.isUnavailable,
    isUnavailableForStored: availability.isUnavailableForStored
  }
  return embedders
}

/** From a cosine: 0 for texts that have nothing in common, 1 for equal ones. */
export const likeness = (cosine: number, floor: number): number => Math.max(0, (cosine - floor) / (1 - floor))

function checkVectors(model: string, vectors: readonly number[][], wanted: number): number[][] {
  if (vectors.length !== wanted)
    throw new UnavailableError(`The embedder ${model} gave ${vectors.length} vectors for ${wanted} texts.`)
  return vectors.map(vector => toUnit(model, vector))
}

function toUnit(model: string, vector: number[]): number[] {
  if (vector.length !== embeddingDimensions) {
    const said = `The embedder ${model} gives ${vector.length} numbers a text, and ${embeddingDimensions} are needed`
    throw new UnavailableError(`${said}: choose another embedder_model.`)
  }
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + (Number.isFinite(value) ? value * value : Number.NaN), 0))
  if (!(norm > 0 && norm < Number.POSITIVE_INFINITY)) {
    throw new UnavailableError(
      `The embedder ${model} gave a vector that is zero or holds something that is not a finite number.`
    )
  }
  return Math.abs(norm - 1) < 1e-6 ? vector : vector.map(value => value / norm)
}
