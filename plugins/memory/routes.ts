import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { Static } from 'typebox'
import { access } from '#core'
import type { Memory, SourceTable } from './index.ts'
import { MemoryMatches, MemoryStats, SearchQuery } from './schemas.ts'

export const memoryRoutes =
  (memory: Memory): FastifyPluginAsync =>
  async app => {
    searchRoute(app, memory)
    statsRoute(app, memory)
  }

function searchRoute(app: FastifyInstance, memory: Memory): void {
  app.get<{ Querystring: Static<typeof SearchQuery> }>(
    '/api/memory/search',
    {
      config: { access: access.bearer('api:read') },
      schema: {
        operationId: 'searchMemory',
        summary: 'Passages nearest in meaning, best first',
        tags: ['memory'],
        querystring: SearchQuery,
        response: { 200: MemoryMatches }
      }
    },
    async ({ query: { source_table, ...query } }) => {
      const items = await memory.search({ ...query, source_table: source_table as SourceTable | undefined })
      return { items, total: items.length, limit: query.limit ?? 5, offset: 0 }
    }
  )
}

function statsRoute(app: FastifyInstance, memory: Memory): void {
  app.get(
    '/api/memory/stats',
    {
      config: { access: access.bearer('api:read') },
      schema: {
        operationId: 'readMemoryStats',
        summary: 'Embeddings by source table and writer',
        tags: ['memory'],
        response: { 200: MemoryStats }
      }
    },
    async () => memory.stats()
  )
}
