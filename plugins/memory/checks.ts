import { type Check, type Db, degraded, messageOf, ok } from '#core'
import type { Embedders } from './embedders/registry.ts'
import type { Models } from './models.ts'
import { listRefusals } from './repository/refusals.ts'

interface MemoryCheckDeps {
  db: Db
  embedders: Embedders
  models: Models
}

/** What `galley doctor` asks of the memory. */
export const memoryChecks = ({ db, embedders, models }: MemoryCheckDeps): Check[] => [
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
        const reason = messageOf(error)
        const isRateLimited = embedders.named(embedders.chosenName())?.isRateLimited === true
        return degraded(
          `${await withoutChosen({ db, embedders, models }, signal)}: ${reason}`,
          isRateLimited ? rateLimitRemedy : faultRemedy
        )
      }
    }
  }
]

const faultRemedy =
  'Start the embedding server, or correct embedder and its settings (embedder_base_url and embedder_model, or embedder_model_path) with galley settings set.'
const rateLimitRemedy =
  'Wait until then, or set an embedder_api_key or embedder_model with a higher limit. embedder_requests_per_minute bounds what is sent.'

/** What a chosen embedder that does not answer means: the one before may serve still. */
async function withoutChosen({ db, embedders, models }: MemoryCheckDeps, signal: AbortSignal): Promise<string> {
  try {
    const serving = await models.serving(db)
    if (serving === embedders.named(embedders.chosenName())) return wordsOnly
    await embedders.embedWith(serving, ['Is anybody there?'], signal)
    return `Searches go on with the vectors by ${serving.model}, and the chosen embedder makes none`
  } catch {
    return wordsOnly
  }
}

const wordsOnly = 'Texts are found by their words only'
