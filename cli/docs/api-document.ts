type Json = Record<string, unknown>

interface Content {
  schema?: Json
  example?: unknown
}

interface DocumentedResponse extends Json {
  description: string
  headers?: Json
  content?: Record<string, Content>
}

/** One method of a path. */
export interface DocumentedOperation extends Json {
  operationId: string
  tags?: string[]
  requestBody?: { content: Record<string, Content>; required?: boolean }
  parameters?: { name: string; in: string; schema?: Json; description?: string }[]
  responses: Record<string, DocumentedResponse>
}

/** What commands read of `/openapi.json` (OpenAPI 3.1). */
export interface ApiDocument extends Json {
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas?: Json; responses?: Json; headers?: Json; parameters?: Json }
}
