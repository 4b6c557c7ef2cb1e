import { type Settings, UnavailableError } from '#core'
import { type Embedder, type EmbedOptions, embeddingDimensions, TextsRefusedError } from '../index.ts'
import type { MemorySettings } from '../settings.ts'

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

// Nobody who waits for an answer asks an embedder that failed as recently: each would wait as long in vain.
const unavailableMs = 15_000

export function createEmbedders(
  settings: Pick<Settings<MemorySettings>, 'get'>,
  now: () => number = Date.now
): Embedders {
  const questionFailed = new WeakMap<Embedder, number>()
  const storedFailed = new WeakMap<Embedder, number>()
  /** Notes whether an embedder answers. */
  const answerOf = async <T>(embedder: Embedder, answer: Promise<T>, signal: AbortSignal, failed = questionFailed) => {
    try {
      const answered = await untilAborted(answer, signal)
      questionFailed.delete(embedder)
      storedFailed.delete(embedder)
      return answered
    } catch (error) {
      // `Retry-After` says itself how long.
      if (!(error instanceof TextsRefusedError) && !embedder.isRateLimited) failed.set(embedder, now())
      throw asUnavailable(error, signal)
    }
  }
  const embedNoting =
    (failed: WeakMap<Embedder, number>, options: EmbedOptions = {}) =>
    async (embedder: Embedder, texts: readonly string[], signal: AbortSignal) => {
      const { model, floor = 0 } = embedder
      if (texts.length === 0) return { model, floor, embeddings: [] }
      const embeddings = await answerOf(embedder, embedder.embed(texts, signal, options), signal, failed)
      return { model, floor, embeddings: checkVectors(model, embeddings, texts.length) }
    }
  const embedQuestions = embedNoting(questionFailed)
  const isRecent = (failed: WeakMap<Embedder, number>, embedder: Embedder) =>
    now() - (failed.get(embedder) ?? Number.NEGATIVE_INFINITY) < unavailableMs
  const isUnavailable = (embedder: Embedder) => embedder.isRateLimited === true || isRecent(questionFailed, embedder)
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
    embed: async (texts, signal) => embedQuestions(chosen(), texts, signal),
    embedWith: embedNoting(questionFailed, { isQuestion: true }),
    embedStored: embedNoting(storedFailed),
    embedQuestionWith: async (embedder, text, signal) => {
      if (embedder.embedQuestion === undefined) return await embedders.embedWith(embedder, [text], signal)
      const { model, floor = 0 } = embedder
      const vector = await answerOf(embedder, embedder.embedQuestion(text, signal), signal)
      return { model, floor, embeddings: checkVectors(model, [vector], 1) }
    },
    isUnavailable,
    isUnavailableForStored: embedder => isUnavailable(embedder) || isRecent(storedFailed, embedder)
  }
  return embedders
}

/** From a cosine: 0 for texts that have nothing in common, 1 for equal ones. */
export const likeness = (cosine: number, floor: number): number => Math.max(0, (cosine - floor) / (1 - floor))

/** An embedder that pays no attention to its signal keeps nobody waiting. */
async function untilAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    // Of one that was aborted before, no event tells.
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
  })
  try {
    return await Promise.race([answer, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Running out of time is an UnavailableError; an embedder's bug stays what it is. */
function asUnavailable(error: unknown, signal: AbortSignal): unknown {
  if (!signal.aborted || error instanceof UnavailableError) return error
  return new UnavailableError('The embedder did not answer in time (embedder_timeout_seconds).', { cause: error })
}

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
