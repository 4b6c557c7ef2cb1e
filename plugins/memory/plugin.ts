import { definePlugin } from '#core'
import { memoryChecks } from './checks.ts'
import { embedJobs } from './embed-job.ts'
import { createEmbeddedEmbedder } from './embedded-embedder.ts'
import { createEmbedders } from './embedders.ts'
import { MemoryService } from './index.ts'
import { createMemory } from './memory.ts'
import { createOpenAiEmbedder } from './openai-embedder.ts'
import { createRarity } from './rarity.ts'
import { memoryRoutes } from './routes.ts'
import { memorySettings } from './settings.ts'

export default definePlugin({
  name: 'memory',
  contract: 1,
  describe: 'Texts to write from and to find again by meaning: stored, chunked, embedded, searched.',
  provides: { memory: MemoryService },
  settings: memorySettings,
  setup({ settings, db, enqueue, log }) {
    const embedders = createEmbedders(settings)
    embedders.register('embedded', createEmbeddedEmbedder(createRarity(db)))
    embedders.register('openai', createOpenAiEmbedder({ settings }))
    const memory = createMemory({ db, embedders, enqueue, settings, log })
    return {
      services: { memory },
      routes: memoryRoutes(memory),
      commands: {
        memory: {
          describe: 'Store texts and find them by meaning',
          load: async () =>
            (await import('./commands/memory.ts')).memoryCommands({
              memory,
              mostBytes: () => settings.get('memory_max_bytes')
            })
        }
      },
      jobs: embedJobs({ db, embedders, enqueue }),
      checks: memoryChecks(embedders)
    }
  }
})
