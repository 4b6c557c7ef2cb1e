import {
  type App,
  AppError,
  access,
  type Db,
  type FastifyPluginAsyncTypebox,
  type FieldErrors,
  InputError,
  NotFoundError,
  Type,
  validationFields
} from '#core'
import { pageRequest, sendPage } from '#lists'
import type { Entries } from './entries.ts'
import type { Memory, NewEntry } from './index.ts'
import { clientEntryId, entryFaults, isTooLarge, tooLarge } from './input.ts'
import {
  EntriesQuery,
  EntryParameters,
  largestBody,
  MemoryEntries,
  MemoryEntry,
  MemoryMatches,
  MemoryStats,
  NewMemoryEntry,
  SearchQuery,
  StoredEntry
} from './schemas.ts'

const reads = { access: access.bearer('api:read'), cost: 'heavy' } as const
const writes = { access: access.bearer('api:write') }
const tags = ['memory']

export interface RouteDeps {
  memory: Memory
  entries: Entries
  db: Db
  maxBytes: () => number
}

export const memoryRoutes =
  ({ memory, entries, db, maxBytes }: RouteDeps): FastifyPluginAsyncTypebox =>
  async app => {
    listRoute(app, entries)
    getRoute(app, entries)
    searchRoute(app, memory)
    statsRoute(app, memory)
    storeRoute(app, memory, maxBytes)
    removeRoute(app, memory, db)
  }

function listRoute(app: App, entries: Entries): void {
  const schema = {
    operationId: 'listMemory',
    summary: 'What is stored, newest first, without the texts',
    tags,
    querystring: EntriesQuery,
    response: { 200: MemoryEntries }
  }
  app.get('/api/memory', { config: reads, schema }, async (request, reply) => {
    const { source_table = null, writer = null, ...query } = request.query
    const page = pageRequest(query, ['timestamp', 'uuid'], ['memory', source_table, writer])
    return sendPage(request, reply, await entries.list({ source_table, writer }, page))
  })
}

function getRoute(app: App, entries: Entries): void {
  const schema = {
    operationId: 'readMemory',
    summary: 'One entry with its text',
    tags,
    params: EntryParameters,
    response: { 200: MemoryEntry }
  }
  app.get('/api/memory/:source_table/:source_id', { config: reads, schema }, async ({ params }) =>
    entries.get(params.source_table, params.source_id)
  )
}

function searchRoute(app: App, memory: Memory): void {
  const schema = {
    operationId: 'searchMemory',
    summary: 'Passages nearest in meaning, best first',
    tags,
    querystring: SearchQuery,
    response: { 200: MemoryMatches }
  }
  app.get('/api/memory/search', { config: reads, schema }, async ({ query: { tags, ...query } }) => {
    const { items, total, degraded } = await memory.search({ ...query, tags: tags?.split(',') })
    return { items, total, limit: query.limit ?? 5, offset: 0, next_cursor: null, degraded }
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

function storeRoute(app: App, memory: Memory, maxBytes: () => number): void {
  const schema = {
    operationId: 'storeMemory',
    summary: 'Store a text; the same source_table and source_id again replaces it, the same text changes nothing',
    description:
      '201 when the entry is new or replaces another (stored: true). 200 when the same entry was stored already (stored: false).',
    tags,
    body: NewMemoryEntry,
    response: { 200: StoredEntry, 201: StoredEntry }
  }
  const config = { ...writes, bodyLimit: largestBody }
  // What the schema finds is reported with what it cannot know.
  app.post('/api/memory', { config, schema, attachValidation: true }, async (request, reply) => {
    const { body } = request
    requireRight(body, request.validationError === undefined ? {} : validationFields(request), maxBytes())
    const { source_table = 'memory', source_id = clientEntryId(body.text, body.writer), ...entry } = body
    const stored = await memory.store({ ...entry, source_table, source_id })
    return await reply.code(stored.stored ? 201 : 200).send(stored)
  })
}

/** @throws InputError naming every fault of the body, whatever finds it; AppError when its text is too large. */
function requireRight(body: Partial<NewEntry>, found: FieldErrors, maxBytes: number): void {
  const isObject = typeof body === 'object' && body !== null
  const right = isObject ? Object.entries(body).filter(([name]) => !isAtFault(name, found)) : []
  const entry: Partial<NewEntry> = Object.fromEntries(right)
  const { text, ...others } = { ...commaFaults(entry.tags), ...entryFaults(entry, maxBytes), ...found }
  const faults = text === undefined ? others : { ...others, text }
  if (Object.keys(faults).length === 0) return
  if (Object.keys(others).length > 0 || typeof body.text !== 'string' || !isTooLarge(body.text, maxBytes))
    throw new InputError(faults)
  const message = `The text ${tooLarge(body.text, maxBytes)}.`
  throw new AppError('PAYLOAD_TOO_LARGE', message, { fields: faults })
}

/** What the service itself stores, such as posts, has them all the same. */
const commaFaults = (tags: readonly string[] = []): FieldErrors =>
  Object.fromEntries(
    tags.flatMap((tag, at) =>
      tag.includes(',') ? [[`tags.${at}`, 'must not contain a comma: searches are given comma lists of tags']] : []
    )
  )

const isAtFault = (name: string, found: FieldErrors) =>
  Object.keys(found).some(path => path === name || path.startsWith(`${name}.`))

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
    const removed = await db.transaction(tx => memory.remove(tx, source_table, source_id))
    if (!removed) throw new NotFoundError(`There is no entry ${source_table}/${source_id} in the memory.`)
    return await reply.code(204).send(null)
  })
}
