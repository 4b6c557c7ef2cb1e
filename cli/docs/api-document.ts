type Json = Record<string, unknown>

/** A JSON Schema, as far as the promises are read from it. */
export interface Schema extends Json {
  $ref?: string
  type?: string | string[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
  enum?: readonly unknown[]
}

interface Content {
  schema?: Schema
  example?: unknown
  /** Of an error response: by error code. */
  examples?: object
}

export interface DocumentedResponse extends Json {
  $ref?: string
  description: string
  headers?: Json
  content?: Record<string, Content>
}

export interface DocumentedParameter {
  name: string
  in: string
  required?: boolean
  schema?: Schema
  description?: string
}

/** Stands for one of the components. */
export interface Reference {
  $ref: string
}

/** One method of a path. */
export interface DocumentedOperation extends Json {
  operationId: string
  tags?: string[]
  requestBody?: { content: Record<string, Content>; required?: boolean }
  parameters?: (DocumentedParameter | Reference)[]
  /** The scopes of its tokens, under `bearer`. */
  security?: Record<string, string[]>[]
  responses: Record<string, DocumentedResponse>
}

/** What commands read of `/openapi.json` (OpenAPI 3.1). */
export interface ApiDocument extends Json {
  paths: Record<string, Record<string, DocumentedOperation>>
  tags: { name: string; description?: string }[]
  components: {
    schemas?: Record<string, Schema>
    responses?: Json
    headers?: Json
    parameters?: Record<string, DocumentedParameter>
  }
}
