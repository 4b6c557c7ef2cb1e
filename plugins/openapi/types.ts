import type { FastifyContextConfig } from 'fastify'

export type Json = Record<string, unknown>
export interface Content {
  schema?: Json
  example?: unknown
  examples?: Readonly<Record<string, { readonly value: unknown }>>
}
/** A parameter, or a `$ref` to one. */
export interface Parameter {
  name?: string
  in?: string
  $ref?: string
  schema?: Json
  example?: unknown
  description?: string
}
/** A response, or a `$ref` to one. */
export interface Response extends Json {
  description?: string
  headers?: Json
  content?: Record<string, Content>
}
export interface Operation extends Json {
  operationId: string
  tags?: string[]
  requestBody?: { content: Record<string, Content>; required?: boolean }
  parameters?: Parameter[]
  responses: Record<string, Response>
}
export interface Document extends Json {
  paths: Record<string, Record<string, Operation>>
  components: { schemas?: Json; responses?: Json; headers?: Json; parameters?: Json }
}

/** What the document is made from for one route. */
export interface RouteFacts {
  readonly method: string
  readonly url: string
  readonly config: FastifyContextConfig
  readonly isList: boolean
  /** Statuses that the route itself describes. */
  readonly describedStatuses: ReadonlySet<string>
  /** The route describes its own 400 and names no codes: its errors have a format of their own. */
  readonly hasOwnErrorFormat: boolean
}
