import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { access, type Db, NotFoundError } from '#core'
import type { Memory, SourceTable } from './index.ts'
import { checkTable, idOf } from './input.ts'
import { EntryParameters, MemoryMatches, MemoryStats, NewMemoryEntry, SearchQuery, StoredEntry } from './schemas.ts'

const reads = { access: access.bearer('api:read') }
const writes = { access: access.bearer('api:write') }
const tags = ['memory']
// JSON is read as a whole: larger texts come from a file, by `galley memory store`.
const largestBody = 8 * 1024 * 1024

type App = Parameters<FastifyPluginAsyncTypebox>[0]

export const memoryRoutes =
  (memory: Memory, db: Db): FastifyPluginAsyncTypebox =>
  async app => {
    searchRoute(app, memory)
    statsRoute(app, memory)
    storeRoute(app, memory)
    removeRoute(app, memory, db)
  }

function searchRoute(app: App, memory: Memory): void {
  const schema = {
    operationId: 'searchMemory',
    summary: 'Passages nearest in meaning, best first',
    tags,
    querystring: SearchQuery,
    response: { 200: MemoryMatches }
  }
  app.get('/api/memory/search', { config: reads, schema }, async ({ query: { source_table, tags, ...query } }) => {
    const table = source_table as SourceTable | undefined // checked by the service
    const { items, degraded } = await memory.search({ ...query, source_table: table, tags: tags?.split(',') })
    return { items, total: items.length, limit: query.limit ?? 5, offset: 0, degraded }
  })
}

function statsRoute(app: App, memory: Memory): void {
  const schema = {
    operationId: 'readMemoryStats',
    summary: 'Embeddings by source table and writer',
    tags,
    response: { 200: MemoryStats }
  }
  app.get('/api/memory/stats', { config: reads, schema }, async () => memory.stats())
}

function storeRoute(app: App, memory: Memory): void {
  const schema = {
    operationId: 'storeMemory',
    summary: 'Store a text; the same source_table and source_id again replaces it, the same text changes nothing',
    tags,
    body: NewMemoryEntry,
    response: { 200: StoredEntry, 201: StoredEntry }
  }
  app.post('/api/memory', { config: { ...writes, bodyLimit: largestBody }, schema }, async ({ body }, reply) => {
    const { source_table = 'memory', source_id = idOf(body.text), ...entry } = body
    checkTable(source_table)
    const stored = await memory.store({ ...entry, source_table, source_id })
    return await reply.code(stored.stored ? 201 : 200).send(stored)
  })
}

function removeRoute(app: App, memory: Memory, db: Db): void {
  const schema = {
    operationId: 'removeMemory',
    summary: 'Delete an entry with its passages and embeddings',
    tags,
    params: EntryParameters,
    response: { 204: Type.Null() }
  }
  app.delete('/api/memory/:source_table/:source_id', { config: writes, schema }, async ({ params }, reply) => {
    const { source_table, source_id } = params
    checkTable(source_table)
    const removed = await db.transaction(tx => memory.remove(tx, source_table, source_id))
    if (!removed) throw new NotFoundError(`There is no entry ${source_table}/${source_id} in the memory.`)
    return await reply.code(204).send(null)
  })
}
