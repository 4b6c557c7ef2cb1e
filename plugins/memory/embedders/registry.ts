import type { Settings } from '#core'
import { createDrivers, type Drivers } from '#requests'
import type { Embedder, EmbedOptions } from '../index.ts'
import type { MemorySettings } from '../settings.ts'
import { createAvailability, type Use } from './availability.ts'
import { checkVectors, type Vectors } from './vectors.ts'

/** The embedders by name, and the one the setting chooses. */
export interface Embedders extends Drivers<Embedder> {
  /** Vectors of the chosen one, checked and of unit length. @throws UnavailableError when it does not answer as it must. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Vectors>
  /** The same by any embedder, for a query. */
  embedWith(embedder: Embedder, texts: readonly string[], signal: AbortSignal): Promise<Vectors>
  /** The same for texts that are stored: they may be large or at fault, which says nothing about queries. */
  embedStored(embedder: Embedder, texts: readonly string[], signal: AbortSignal): Promise<Vectors>
  /** One vector to rank passages by for a query. @throws UnavailableError as `embed`. */
  embedQueryWith(embedder: Embedder, text: string, signal: AbortSignal): Promise<Vectors>
  /** True for some seconds after an embedder failed to answer a query, unless it has answered since, and until its `Retry-After` is over. */
  isUnavailable(embedder: Embedder): boolean
  /** True also after it failed to embed stored texts. */
  isUnavailableForStored(embedder: Embedder): boolean
}

export function createEmbedders(settings: Pick<Settings<MemorySettings>, 'get'>, now: () => Date): Embedders {
  const drivers = createDrivers<Embedder>({
    kind: 'An embedder',
    setting: 'embedder',
    chosenName: () => settings.get('embedder')
  })
  const availability = createAvailability(now)
  const embedFor =
    (use: Use, options: EmbedOptions = {}) =>
    async (embedder: Embedder, texts: readonly string[], signal: AbortSignal): Promise<Vectors> => {
      const { model, baselineCosine = 0 } = embedder
      if (texts.length === 0) return { model, baselineCosine, embeddings: [] }
      const embeddings = await availability.answerOf(embedder, embedder.embed(texts, signal, options), signal, use)
      return { model, baselineCosine, embeddings: checkVectors(model, embeddings, texts.length) }
    }
  const embedTexts = embedFor('query')
  const embedWith = embedFor('query', { isQuery: true })
  return {
    ...drivers,
    embed: async (texts, signal) => embedTexts(drivers.chosen(), texts, signal),
    embedWith,
    embedStored: embedFor('stored'),
    embedQueryWith: async (embedder, text, signal) => {
      if (embedder.embedQuery === undefined) return await embedWith(embedder, [text], signal)
      const { model, baselineCosine = 0 } = embedder
      const vector = await availability.answerOf(embedder, embedder.embedQuery(text, signal), signal, 'query')
      return { model, baselineCosine, embeddings: checkVectors(model, [vector], 1) }
    },
    isUnavailable: availability.isUnavailable,
    isUnavailableForStored: availability.isUnavailableForStored
  }
}
