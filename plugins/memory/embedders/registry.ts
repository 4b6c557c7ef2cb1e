import { type Settings, UnavailableError } from '#core'
import type { Embedder, EmbedOptions } from '../index.ts'
import type { MemorySettings } from '../settings.ts'
import { createAvailability, type Use } from './availability.ts'
import { checkVectors, type Vectors } from './vectors.ts'

/** The embedders by name, and the one the setting chooses. */
export interface Embedders {
  register(name: string, embedder: Embedder): void
  /** @throws UnavailableError when the setting names one that nobody registered. */
  chosen(): Embedder
  /** Why the chosen embedder cannot be used: its name is unknown, or a setting of it is missing. Else null. */
  chosenFault(): string | null
  /** What is wrong with a name for the setting; null when somebody registered it. */
  faultOf(name: string): string | null
  /** The name the setting holds. */
  chosenName(): string
  named(name: string): Embedder | undefined
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
  const named = createNamedEmbedders(settings)
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
    ...named,
    embed: async (texts, signal) => embedTexts(named.chosen(), texts, signal),
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

type NamedEmbedders = Pick<Embedders, 'register' | 'chosen' | 'chosenFault' | 'faultOf' | 'chosenName' | 'named'>

function createNamedEmbedders(settings: Pick<Settings<MemorySettings>, 'get'>): NamedEmbedders {
  const known = new Map<string, Embedder>()
  const chosenName = () => settings.get('embedder')
  const unknownName = (name: string) =>
    `The setting embedder is ${name}, which no plugin provides: set it to ${[...known.keys()].join(' or ')}.`
  return {
    register(name, embedder) {
      if (known.has(name)) throw new TypeError(`An embedder named ${name} is registered already.`)
      known.set(name, embedder)
    },
    chosen: () => {
      const embedder = known.get(chosenName())
      if (embedder === undefined) throw new UnavailableError(unknownName(chosenName()))
      return embedder
    },
    chosenFault: () => {
      const embedder = known.get(chosenName())
      return embedder === undefined ? unknownName(chosenName()) : (embedder.settingsFault ?? null)
    },
    faultOf: name => (known.has(name) ? null : `must be one of ${[...known.keys()].join(', ')}`),
    chosenName,
    named: name => known.get(name)
  }
}
