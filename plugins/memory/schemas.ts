import { Type } from 'typebox'
import { sourceTables } from './index.ts'
import { longestName, longestQuery, mostResults } from './input.ts'

export const SearchQuery = Type.Object({
  q: Type.String({ minLength: 1, maxLength: longestQuery, description: 'What is sought, in words' }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: mostResults, default: 5 })),
  min_similarity: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, default: 0.5, description: 'Cosine below which a passage is left out' })
  ),
  writer: Type.Optional(Type.String({ minLength: 1, maxLength: longestName })),
  // Checked by the service, whose answer lists the tables.
  source_table: Type.Optional(
    Type.String({ minLength: 1, maxLength: longestName, description: `One of ${sourceTables.join(', ')}` })
  )
})

const SourceTable = Type.Enum([...sourceTables])

export const MemoryMatch = Type.Object({
  source_table: SourceTable,
  source_id: Type.String(),
  chunk: Type.Integer(),
  writer: Type.String(),
  text: Type.String(),
  similarity: Type.Number(),
  tags: Type.Array(Type.String()),
  metadata: Type.Object({}, { additionalProperties: true }),
  created_at: Type.String({ format: 'date-time' })
})

export const MemoryMatches = Type.Object({
  items: Type.Array(MemoryMatch),
  total: Type.Integer(),
  limit: Type.Integer(),
  offset: Type.Integer()
})

const Count = Type.Object({
  key: Type.String(),
  count: Type.Integer(),
  oldest: Type.String({ format: 'date-time' }),
  newest: Type.String({ format: 'date-time' })
})

export const MemoryStats = Type.Object({
  total: Type.Integer(),
  model: Type.String(),
  dimensions: Type.Integer(),
  by_source_table: Type.Array(Count),
  by_writer: Type.Array(Count)
})
