import type { IncomingHttpHeaders } from 'node:http'
import type { ItemResult, StoredIndex } from './stored-index.ts'

/** A request as it arrived. */
export interface EngineRequest {
  method: string
  /** Without its query. */
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
}

/** What the stand-in answers; undefined for what it does not know. */
export interface Answer {
  status: number
  body?: object
}

/** What the engine holds, and how it behaves. */
export interface Engine {
  indices: Map<string, StoredIndex>
  /** Answers a write of a bulk request in the place of the index. */
  itemFault: (id: string, action: 'index' | 'delete') => ItemResult | undefined
  /** No index takes changes: as for a full disk. */
  isReadOnly: boolean
}

export const errorBody = (status: number, type: string, reason: string): Answer => ({
  status,
  body: { error: { root_cause: [{ type, reason }], type, reason }, status }
})

/** The indices that a name stands for. */
export const indicesNamed = ({ indices }: Engine, name: string): StoredIndex[] =>
  [...indices.values()].filter(index => index.name === name || index.aliases.has(name))

export const indexMissing = (name: string): Answer =>
  errorBody(404, 'index_not_found_exception', `no such index [${name}]`)
