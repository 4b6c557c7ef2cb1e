import type { Context, Needs } from '#core'
import type { Costs } from '#plugins/costs'
import { createEmbeddedEmbedder } from './embedders/embedded.ts'
import { createOnnxEmbedder } from './embedders/onnx.ts'
import { createOpenAiEmbedder } from './embedders/openai.ts'
import { createEmbedders } from './embedders/registry.ts'
import { createEntries } from './entries.ts'
import { createMemory } from './memory.ts'
import { createModels } from './models.ts'
import { createQueryEmbeddings } from './search/query-embeddings.ts'
import { createRarity } from './search/rarity.ts'
import type { MemorySettings } from './settings.ts'

/** Wires the plugin. */
export function createComponents({
  needs: { costs },
  settings,
  db,
  enqueue,
  log,
  now
}: Pick<Context<Needs, MemorySettings>, 'settings' | 'db' | 'enqueue' | 'log' | 'now'> & {
  needs: { costs: Costs | undefined }
}) {
  const rarity = createRarity(now)
  const embedded = createEmbeddedEmbedder(rarity.of)
  const embedders = createEmbedders(settings, now)
  embedders.register('embedded', embedded)
  embedders.register('openai', createOpenAiEmbedder({ settings, log, now, costs }))
  embedders.register('onnx', createOnnxEmbedder(settings))
  const models = createModels({ db, embedders, enqueue })
  const timeoutSeconds = () => settings.get('embedder_timeout_seconds')
  const queryEmbeddings = createQueryEmbeddings({ embedders, models, rarity, timeoutSeconds })
  const memory = createMemory({ db, embedders, models, queryEmbeddings, embedded, enqueue, settings, log, costs })
  const onSettingsRead = () =>
    models
      .onSettingsRead()
      .catch(error => log.warn({ err: error }, 'the chosen embedder is looked at again within minutes'))
  return { memory, entries: createEntries(db), db, embedders, models, enqueue, costs, onSettingsRead }
}
