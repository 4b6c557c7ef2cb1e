import type { Param, Queryable, Tx } from '#core'
import type { MemoryMatch, SourceTable } from '../index.ts'
import { meanOfEntries, vectorText } from './vectors.ts'

/** Which entries are searched. `not_source_table` leaves one table out; an entry has every one of `tags`. */
export interface Filters {
  writer?: string | null
  source_table?: string | null
  not_source_table?: SourceTable | null
  tags?: readonly string[] | null
}

export interface VectorQuery extends Filters {
  model: string
  embedding: readonly number[]
  limit: number
  /** What `total` counts, 0–1; default 0. */
  min_similarity?: number
  /** Rare words of the query. An approximate search compares passages that have some of them as well. */
  rareWords?: readonly string[]
  /** The query's own vector, where `embedding` was shifted to relevant entries. */
  queryEmbedding?: readonly number[]
}

/** A passage found. `similarity` is to `embedding`, `query_similarity` to `queryEmbedding`. */
export interface VectorMatch {
  entry_id: string
  source_id: string
  chunk: number
  similarity: number
  query_similarity: number
}

/** The nearest of the candidates, best first, and how many candidates are as near as `min_similarity`. */
export interface VectorMatches {
  matches: VectorMatch[]
  total: number
}

/** A passage with its text and its entry's labels. */
export type PassageRow = Omit<MemoryMatch, 'similarity'> & { entry_id: string }
export const passageColumns =
  'entry_id, source_table, source_id, chunk, writer, chunks.text, tags, metadata, created_at'

/** The condition that an entry passes the filters, which are four parameters from `first` on: see `filterParams`. */
export function filterSql(first: number): string {
  const writer = first
  const table = first + 1
  const leftOut = first + 2
  const tags = first + 3
  return `($${writer}::text is null or writer = $${writer}) and ($${table}::text is null or source_table = $${table})
    and ($${leftOut}::text is null or source_table <> $${leftOut}) and ($${tags}::text[] is null or tags @> $${tags})`
}

export const filterParams = ({ writer, source_table, not_source_table, tags }: Filters) =>
  [writer ?? null, source_table ?? null, not_source_table ?? null, tags ?? null] as const

/** Parameters of every search: $1 model, $2 writer, $3 source table, $4 source table left out, $5 tags, $6 vector. */
const passesFilters = filterSql(2)

/**
 * Compares every vector that passes the filters. Null, and nothing compared, where they are more than `max`: the entries
 * are counted, times the mean number of vectors of an entry.
 */
export async function searchExactly(db: Queryable, query: VectorQuery, max: number): Promise<VectorMatches | null> {
  return await compareCandidates(db, query, {
    candidates: `bound as materialized (
        select ($10::float8 / greatest(vectors.reltuples / greatest(entries.reltuples, 1), 1))::bigint as max_entries
        from pg_class vectors, pg_class entries
        where vectors.oid = 'memory_embeddings'::regclass and entries.oid = 'memory_entries'::regclass
      ), entries as materialized (
        select entry_id from memory_entries where ${passesFilters} limit (select max_entries + 1 from bound)
      ), scope as materialized (
        select (select count(*) from entries) <= max_entries as is_complete from bound
      ), candidates as materialized (
        select entry_id, chunk, embedding <=> $6::vector as distance
        from entries join memory_embeddings using (entry_id) where model = $1 and (select is_complete from scope)
      )`,
    parameters: [max]
  })
}

/** As many as pgvector scans at most (`hnsw.max_scan_tuples`). */
const maxScanned = 20_000
/** Of each word, and of all: those with most of the words are compared. */
const maxPassagesPerRareWord = 500
const maxPassagesByWords = 200

/**
 * The candidates are the first `nearestCount` vectors of a scan of the HNSW index that pass the filters, and those of the
 * passages with most of the rare words. The index alone misses passages whose nearest neighbours are only each other.
 */
export async function searchApproximately(
  db: Queryable,
  query: VectorQuery,
  nearestCount: number
): Promise<VectorMatches> {
  // The lookup of each entry keeps the planner from reading all of a writer's vectors instead.
  const candidates = `scope as (select true as is_complete), candidates as materialized ((
      select scanned.entry_id, scanned.chunk, scanned.distance from (
        select entry_id, chunk, embedding <=> $6::vector as distance
        from memory_embeddings where model = $1 order by embedding <=> $6::vector limit ${maxScanned}
      ) as scanned cross join lateral (
        select from memory_entries where memory_entries.entry_id = scanned.entry_id and ${passesFilters} limit 1
      ) as entry
      limit $10
    ) union (
      select entry_id, chunk, embedding <=> $6::vector as distance
      from (
        select entry_id, chunk from unnest($11::text[]) as rare (text), plainto_tsquery('english', rare.text) as word
          cross join lateral (
            select entry_id, chunk from memory_chunks where search @@ word limit ${maxPassagesPerRareWord}
          ) as passage
        where numnode(word) > 0
        group by entry_id, chunk order by count(*) desc, entry_id, chunk limit ${maxPassagesByWords}
      ) as by_words
        join memory_entries using (entry_id) join memory_embeddings using (entry_id, chunk)
      where model = $1 and ${passesFilters}
    ))`
  const found = await compareCandidates(db, query, { candidates, parameters: [nearestCount, query.rareWords ?? []] })
  return found ?? { matches: [], total: 0 }
}

/** Which vectors are compared. */
interface Candidates {
  /** The statements `candidates`, passages with their distance from $6, and `scope`, whether it holds what it should. */
  candidates: string
  /** $10 and on. */
  parameters: readonly Param[]
}

/** The nearest of the candidates. Null where `scope` is not complete. */
async function compareCandidates(
  db: Queryable,
  query: VectorQuery,
  { candidates, parameters }: Candidates
): Promise<VectorMatches | null> {
  const { embedding, queryEmbedding = embedding, limit, min_similarity = 0 } = query
  const rows = await db.query<VectorMatch & { is_complete: boolean; total: number }>(
    `with ${candidates}, nearest as materialized (select * from candidates order by distance limit $7)
     select is_complete, (select count(*) from candidates where distance <= $9) as total, found.*
     from scope left join (
       select entry_id, source_id, chunk, 1 - distance as similarity, 1 - (embedding <=> $8::vector) as query_similarity
       from nearest join memory_entries using (entry_id) join memory_embeddings made using (entry_id, chunk)
       where made.model = $1
     ) as found on true order by similarity desc`,
    [
      query.model,
      ...filterParams(query),
      vectorText(embedding),
      limit,
      vectorText(queryEmbedding),
      maxDistance(min_similarity),
      ...parameters
    ]
  )
  const [first] = rows
  if (!first?.is_complete) return null
  // Without a match there is one row, which names no passage.
  const matches = rows.filter(row => row.entry_id !== null).map(({ is_complete, total, ...match }) => match)
  return { matches, total: first.total }
}

/** Similarities are shown with six decimals, and those below 0 as 0. */
const maxDistance = (min_similarity: number) => (min_similarity === 0 ? 2.1 : 1 - min_similarity + 5e-7)

/** The similarity to a vector of those passages that have one by the model. */
export async function listSimilarities(
  db: Queryable,
  { model, embedding }: Pick<VectorQuery, 'model' | 'embedding'>,
  passages: readonly Pick<VectorMatch, 'entry_id' | 'chunk'>[]
): Promise<Pick<VectorMatch, 'entry_id' | 'chunk' | 'similarity'>[]> {
  return await db.query(
    `select entry_id, chunk, 1 - (embedding <=> $2::vector) as similarity
     from unnest($3::uuid[], $4::int[]) as wanted (entry_id, chunk) join memory_embeddings using (entry_id, chunk)
     where model = $1`,
    [model, vectorText(embedding), passages.map(({ entry_id }) => entry_id), passages.map(({ chunk }) => chunk)]
  )
}

/** Inner products of a query's vector, the mean of relevant entries, and a vector that is compared with both; 0 for the mean of nothing. */
export interface VectorProducts {
  /** Of the compared vector with the query, with the mean, and the length of it. */
  by_query: number
  by_mean: number
  length: number
  /** Of the mean with itself and with the query. */
  mean_square: number
  mean_by_query: number
}

export type EntryProducts = VectorProducts & { source_id: string }

/** The products of every passage of these entries that has a vector by the model. */
export async function listEntryProducts(
  db: Queryable,
  query: Pick<VectorQuery, 'model' | 'embedding'> & {
    source_table: SourceTable
    source_ids: readonly string[]
    relevant_ids: readonly string[]
  }
): Promise<EntryProducts[]> {
  return await db.query<EntryProducts>(
    `with relevant as materialized (${meanOfEntries('$1', '$3', '$5')})
     select source_id, -(embedding <#> $2::vector) as by_query, coalesce(-(embedding <#> mean), 0) as by_mean,
       vector_norm(embedding) as length, coalesce(-(mean <#> mean), 0) as mean_square,
       coalesce(-(mean <#> $2::vector), 0) as mean_by_query
     from memory_entries join memory_embeddings using (entry_id) cross join relevant
     where source_table = $3 and source_id = any($4::text[]) and model = $1`,
    [query.model, vectorText(query.embedding), query.source_table, query.source_ids, query.relevant_ids]
  )
}

/** These passages, in no order. */
export async function listPassages(
  db: Queryable,
  passages: readonly Pick<VectorMatch, 'entry_id' | 'chunk'>[]
): Promise<PassageRow[]> {
  return await db.query<PassageRow>(
    `select ${passageColumns}
     from unnest($1::uuid[], $2::int[]) as wanted (entry_id, chunk)
       join memory_chunks chunks using (entry_id, chunk) join memory_entries using (entry_id)`,
    [passages.map(({ entry_id }) => entry_id), passages.map(({ chunk }) => chunk)]
  )
}

/**
 * Makes this transaction's searches use the indexes. The planner does not see that reading a row's vector or words costs
 * far more than its page, nor what a filter lets through; starting another process, or compiling the plan, takes longer
 * than the search. A scan of the HNSW index goes on until the filters have let enough through, in the order in which rows
 * are met: with filters that is nearer to the truth than the strict order, and no slower. Before version 0.8 pgvector
 * scans once.
 */
export async function preferIndexes(tx: Tx): Promise<void> {
  await tx.query(
    `select set_config('hnsw.ef_search', '400', true),
       case when (select string_to_array(extversion, '.')::int[] >= '{0,8}' from pg_extension where extname = 'vector')
         then set_config('hnsw.iterative_scan', 'relaxed_order', true) end,
       set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'off', true),
       set_config('max_parallel_workers_per_gather', '0', true), set_config('jit', 'off', true)`
  )
}
