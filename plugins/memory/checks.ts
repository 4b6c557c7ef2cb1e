import { type Check, degraded, ok } from '#core'
import type { Embedders } from './embedders.ts'

/** What `galley doctor` asks of the memory. */
export const memoryChecks = (embedders: Embedders): Check[] => [
  {
    name: 'embedder',
    async run({ signal }) {
      try {
        const { model } = await embedders.embed(['Is anybody there?'], signal)
        return ok(`${model} answers`)
      } catch (error) {
        return degraded(
          `Texts are found by their words only: ${(error as Error).message}`,
          'Start the embedding server, or correct embedder, embedder_base_url and embedder_model with galley settings set.'
        )
      }
    }
  }
]
