import { type Costs, isMetered, type PaidCall, withMethods } from '#plugins/costs'
import type { Embedder } from '../index.ts'

/** An embedder of another plugin: what it asks a model counts, whether it says so or not. */
export function meteredEmbedder(costs: Costs | undefined, embedder: Embedder): Embedder {
  if (embedder.isCheap === true || !isMetered(costs, embedder)) return embedder
  const { embedQuery, forModel } = embedder
  return withMethods(embedder, {
    embed: (texts, signal, options) =>
      costs.meter(embeddingCall(embedder, texts), () => embedder.embed(texts, signal, options), { signal }),
    ...(embedQuery && {
      embedQuery: (text, signal) =>
        costs.meter(embeddingCall(embedder, [text]), () => embedQuery.call(embedder, text, signal), { signal })
    }),
    ...(forModel && { forModel: (model, origin) => meteredEmbedder(costs, forModel.call(embedder, model, origin)) })
  })
}

/** No token is shorter than a byte. */
const embeddingCall = ({ model }: Embedder, texts: readonly string[]): PaidCall => ({
  kind: 'embedding',
  model,
  worst: { input_tokens: texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0) }
})
