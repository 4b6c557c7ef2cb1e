import { Type } from '#core'
import { pageOf, pageParameters } from '#lists'
import { searchModes, sourceTables } from './index.ts'
import {
  maxMemoryQueryLength,
  maxNameLength,
  maxResults,
  maxTagLength,
  maxTagListLength,
  maxTags,
  maxTitleLength,
  maxUrlLength
} from './input.ts'

/** JSON is read as a whole: larger texts come from a file, by `galley memory store`. */
export const largestBody = 8 * 1024 * 1024
const visible = { minLength: 1, pattern: '\\S' }
const SourceTable = Type.Enum([...sourceTables])

export const SearchQuery = Type.Object({
  q: Type.String({
    ...visible,
    maxLength: maxMemoryQueryLength,
    description: 'What is sought, in words',
    examples: ['what moves the tides']
  }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxResults, default: 5 })),
  min_similarity: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, default: 0.5, description: 'Cosine below which a passage is left out' })
  ),
  writer: Type.Optional(Type.String({ ...visible, maxLength: maxNameLength })),
  source_table: Type.Optional(SourceTable),
  mode: Type.Optional(
    Type.Enum([...searchModes], {
      default: 'similarity',
      description: 'hybrid fuses the ranking by similarity with the one by shared words'
    })
  ),
  tags: Type.Optional(
    Type.String({ maxLength: maxTagListLength, description: 'Comma list: only what has every one of these tags' })
  )
})

export const NewMemoryEntry = Type.Object(
  {
    text: Type.String({
      ...visible,
      maxLength: largestBody,
      description: 'The text, markdown or plain; at most memory_max_bytes (2 MiB) of UTF-8',
      examples: ['Twice a day the sea rises.']
    }),
    writer: Type.String({ ...visible, maxLength: maxNameLength, description: 'Who stores it', examples: ['operator'] }),
    source_table: Type.Optional(
      Type.Enum([...sourceTables], {
        description: 'Where it comes from; default memory. What is stored as posts is kept by the posts themselves',
        examples: ['memory']
      })
    ),
    source_id: Type.Optional(
      Type.String({
        ...visible,
        maxLength: maxNameLength,
        description: 'Storing the same id again replaces the entry; default: made from text and writer',
        examples: ['notes/tides.md']
      })
    ),
    title: Type.Optional(Type.Union([Type.String({ ...visible, maxLength: maxTitleLength }), Type.Null()])),
    url: Type.Optional(
      Type.Union([Type.String({ maxLength: maxUrlLength, description: 'An http or https address' }), Type.Null()])
    ),
    tags: Type.Optional(
      Type.Array(
        Type.String({ maxLength: maxTagLength, description: 'Without a comma: searches are given comma lists' }),
        {
          maxItems: maxTags
        }
      )
    ),
    metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown()))
  },
  { additionalProperties: false, title: 'NewMemory' }
)

export const EntriesQuery = Type.Object(
  {
    source_table: Type.Optional(SourceTable),
    writer: Type.Optional(
      Type.String({ ...visible, maxLength: maxNameLength, description: 'Only what this one stored' })
    ),
    ...pageParameters
  },
  { additionalProperties: false }
)

const entryFields = {
  source_table: SourceTable,
  source_id: Type.String({ examples: ['notes/tides.md'] }),
  writer: Type.String({ examples: ['operator'] }),
  title: Type.Union([Type.String(), Type.Null()], { examples: ['Tides'] }),
  url: Type.Union([Type.String(), Type.Null()], { examples: ['https://example.org/tides'] }),
  tags: Type.Array(Type.String({ examples: ['tides'] })),
  excerpt: Type.String({ description: 'Where the text begins', examples: ['Twice a day the sea rises.'] }),
  bytes: Type.Integer({ description: 'Of the text, in UTF-8', examples: [26] }),
  passages: Type.Integer({ description: 'Passages it was cut into; 0 while a job has that to do', examples: [1] }),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' })
}
export const MemoryEntries = pageOf(Type.Object(entryFields, { title: 'MemoryEntrySummary' }))
export const MemoryEntry = Type.Object(
  {
    ...entryFields,
    text: Type.String({ examples: ['Twice a day the sea rises.'] }),
    metadata: Type.Object({}, { additionalProperties: true })
  },
  { title: 'MemoryEntry' }
)

export const EntryParameters = Type.Object({
  source_table: Type.Enum([...sourceTables], { examples: ['memory'] }),
  source_id: Type.String({ examples: ['notes/tides.md'] })
})

export const StoredEntry = Type.Object(
  {
    source_table: SourceTable,
    source_id: Type.String({ examples: ['notes/tides.md'] }),
    chunks: Type.Integer({ description: 'Passages the text was cut into', examples: [3] }),
    stored: Type.Boolean({ description: 'False when the same entry was stored already' })
  },
  { title: 'StoredMemory' }
)

export const MemoryMatch = Type.Object(
  {
    source_table: SourceTable,
    source_id: Type.String({ examples: ['notes/tides.md'] }),
    chunk: Type.Integer(),
    writer: Type.String({ examples: ['operator'] }),
    text: Type.String({ examples: ['Twice a day the sea rises.'] }),
    similarity: Type.Number({ examples: [0.82] }),
    tags: Type.Array(Type.String({ examples: ['tides'] })),
    metadata: Type.Object({}, { additionalProperties: true }),
    created_at: Type.String({ format: 'date-time' })
  },
  { title: 'MemoryMatch' }
)

export const MemoryMatches = Type.Object({
  items: Type.Array(MemoryMatch),
  total: Type.Integer({
    description:
      'How many match; where more than some thousand passages are asked for, counted among the 400 nearest (30 with a filter) and those found by words'
  }),
  limit: Type.Integer(),
  offset: Type.Integer(),
  next_cursor: Type.Null({ description: 'Only the nearest are found: there is no next page.' }),
  degraded: Type.Boolean({
    description: 'True while the embedder does not answer: found by words alone',
    examples: [false]
  })
})

const Count = Type.Object(
  {
    key: Type.String({ examples: ['posts'] }),
    count: Type.Integer({ examples: [120] }),
    oldest: Type.String({ format: 'date-time' }),
    newest: Type.String({ format: 'date-time' })
  },
  { title: 'MemoryCount' }
)

export const MemoryStats = Type.Object(
  {
    total: Type.Integer({ description: 'Embeddings that searches use: those by serving_model', examples: [120] }),
    pending: Type.Integer({ description: 'Passages that still wait for an embedding by the chosen model' }),
    fault: Type.Union([Type.String(), Type.Null()], {
      description: 'Why nothing is embedded, when the setting embedder names no embedder'
    }),
    refused: Type.Integer({ description: 'Passages the embedder will not take: found by their words only' }),
    refusals: Type.Array(
      Type.Object(
        {
          source_table: SourceTable,
          source_id: Type.String(),
          chunk: Type.Integer(),
          reason: Type.String()
        },
        { title: 'MemoryRefusal' }
      ),
      { description: 'The latest ten of them' }
    ),
    model: Type.String({ examples: ['embedded'] }),
    serving_model: Type.String({ description: 'What searches use until none is pending', examples: ['embedded'] }),
    dimensions: Type.Integer({ examples: [768] }),
    by_source_table: Type.Array(Count),
    by_writer: Type.Array(Count)
  },
  { title: 'MemoryStats' }
)
