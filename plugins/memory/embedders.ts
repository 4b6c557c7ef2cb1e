import { type Settings, UnavailableError } from '#core'
import { type Embedder, embeddingDimensions } from './index.ts'
import type { MemorySettings } from './settings.ts'

/** The embedders by name, and the one the setting chooses. */
export interface Embedders {
  register(name: string, embedder: Embedder): void
  /** @throws UnavailableError when the setting names one that nobody registered. */
  chosen(): Embedder
  /** Vectors of the chosen one, checked and of unit length. @throws UnavailableError when it does not answer as it must. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<{ model: string; embeddings: number[][] }>
}

export function createEmbedders(settings: Pick<Settings<MemorySettings>, 'get'>): Embedders {
  const known = new Map<string, Embedder>()
  const chosen = () => {
    const name = settings.get('embedder')
    const embedder = known.get(name)
    if (embedder !== undefined) return embedder
    throw new UnavailableError(
      `The setting embedder is ${name}, which no plugin provides: set it to ${[...known.keys()].join(' or ')}.`
    )
  }
  return {
    register(name, embedder) {
      if (known.has(name)) throw new TypeError(`An embedder named ${name} is registered already.`)
      known.set(name, embedder)
    },
    chosen,
    async embed(texts, signal) {
      const embedder = chosen()
      const { model } = embedder
      if (texts.length === 0) return { model, embeddings: [] }
      const embeddings = await embedder.embed(texts, signal).catch(error => {
        throw asUnavailable(error, signal)
      })
      return { model, embeddings: checkVectors(model, embeddings, texts.length) }
    }
  }
}

/** A caller that ran out of time is told so; an embedder's bug stays what it is. */
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
