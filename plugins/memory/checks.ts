import { type Check, type Db, degraded, ok } from '#core'
import type { Embedders } from './embedders.ts'
import { listRefusals } from './refusals-repository.ts'

/** What `galley doctor` asks of the memory. */
export const memoryChecks = (db: Db, embedders: Embedders): Check[] => [
  {
    name: 'embedder',
    async run({ signal }) {
      try {
        const { model } = await embedders.embed(['Is anybody there?'], signal)
        const [refused] = await listRefusals(db, model, 1)
        if (refused === undefined) return ok(`${model} answers`)
        const { source_table, source_id, chunk, reason } = refused
        return degraded(
          `Passages are found by their words only, ${source_table}/${source_id} #${chunk} for one: ${reason}`,
          'Change or remove what galley memory status lists, or choose another embedder_model.'
        )
      } catch (error) {
        return degraded(
          `Texts are found by their words only: ${(error as Error).message}`,
          'Start the embedding server, or correct embedder, embedder_base_url and embedder_model with galley settings set.'
        )
      }
    }
  }
]
