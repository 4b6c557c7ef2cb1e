import type { GraphqlModule } from '#core'
import { type Memory, type MemoryQuery, type SearchMode, type SourceTable, searchModes, sourceTables } from './index.ts'
import { queryFaults } from './input.ts'

const schema = `
enum MemorySourceTable { ${sourceTables.join(' ')} }
"How passages are ranked: hybrid fuses similarity with the words in common."
enum MemorySearchMode { ${searchModes.join(' ')} }
"A passage found."
type MemoryMatch {
  sourceTable: MemorySourceTable!
  sourceId: ID!
  chunk: Int!
  writer: String!
  text: String!
  "Cosine, 0 to 1."
  similarity: Float!
  tags: [String!]!
  metadata: JSON!
  createdAt: DateTime!
}
type MemoryMatches {
  items: [MemoryMatch!]!
  "How many match; where more than some thousand passages are asked for, counted among the 400 nearest (30 with a filter) and those found by words."
  totalCount: Int!
  "True while the embedder does not answer: found by words alone."
  degraded: Boolean!
}
"Embeddings of one source table or writer."
type MemoryCount {
  key: String!
  count: Int!
  oldest: DateTime!
  newest: DateTime!
}
type MemoryRefusal {
  sourceTable: MemorySourceTable!
  sourceId: ID!
  chunk: Int!
  reason: String!
}
type MemoryStats {
  total: Int!
  "Passages that still wait for an embedding."
  pending: Int!
  "Passages the embedder will not take: found by their words only."
  refused: Int!
  "Why nothing is embedded: the setting embedder names no embedder."
  fault: String
  "The latest ten of them."
  refusals: [MemoryRefusal!]!
  model: String!
  "What searches use until none is pending."
  servingModel: String!
  dimensions: Int!
  bySourceTable: [MemoryCount!]!
  byWriter: [MemoryCount!]!
}
extend type Query {
  "Passages nearest in meaning, best first."
  memorySearch(
    q: String!
    limit: Int! = 5
    minSimilarity: Float! = 0.5
    writer: String
    sourceTable: MemorySourceTable
    "Only what has every one of these."
    tags: [String!]
    mode: MemorySearchMode! = similarity
  ): MemoryMatches! @bearer(scope: "api:read") @cost(weight: 1000)
  "Embeddings by source table and writer."
  memoryStats: MemoryStats! @bearer(scope: "api:read") @cost(weight: 500)
}`

interface SearchArguments {
  q: string
  limit: number
  minSimilarity: number
  writer?: string | null
  sourceTable?: SourceTable | null
  tags?: readonly string[] | null
  mode: SearchMode
}

const queryOf = ({ q, limit, minSimilarity, writer, sourceTable, tags, mode }: SearchArguments): MemoryQuery => ({
  q,
  limit,
  min_similarity: minSimilarity,
  writer: writer ?? undefined,
  source_table: sourceTable ?? undefined,
  tags: tags ?? undefined,
  mode
})

/** The memory in GraphQL: what the REST routes answer. */
export const memoryGraphql = (memory: Memory): GraphqlModule => ({
  schema,
  checks: { Query: { memorySearch: (given: SearchArguments) => queryFaults(queryOf(given)) } },
  resolvers: {
    Query: {
      async memorySearch(_: undefined, given: SearchArguments) {
        const { total, ...found } = await memory.search(queryOf(given))
        return { ...found, total_count: total }
      },
      memoryStats: () => memory.stats()
    }
  }
})
