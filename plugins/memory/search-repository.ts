import type { Queryable, Tx } from '#core'
import type { MemoryMatch, SourceTable } from './index.ts'
import { vectorText } from './repository.ts'

/** What passages are looked at. `not_source_table` leaves one table out; an entry has every one of `tags`. */
export interface Filters {
  writer?: string | null
  source_table?: string | null
  not_source_table?: SourceTable | null
  tags?: readonly string[] | null
}

/** What vectors are compared with. */
export interface VectorQuery extends Filters {
  model: string
  embedding: readonly number[]
  limit: number
  /** What counts as a match; 0 when absent. */
  min_similarity?: number
  /** Rows are `EntryMatch` instead: a hundred passages with their texts take longer to read than to find. */
  isBare?: boolean
  /** Where `embedding` is this vector moved: rows come in the order of `embedding`, their `asked_similarity` is to this. */
  asked?: readonly number[]
}

export interface VectorMatch extends MemoryMatch {
  entry_id: string
}

/** A passage found, by its place alone. */
export type EntryMatch = Pick<VectorMatch, 'entry_id' | 'source_id' | 'chunk' | 'similarity'> & {
  asked_similarity?: number
}

export type PassageRow = Omit<VectorMatch, 'similarity'>

// The filters come first: $1 model, $2 writer, $3 source table, $4 source table left out, $5 tags; then $6 vector, $7 limit.
const isAsked = `made.model = $1 and ($2::text is null or writer = $2) and ($3::text is null or source_table = $3)
  and ($4::text is null or source_table <> $4) and ($5::text[] is null or tags @> $5)`
const whole = {
  columns: 'entry_id, source_table, source_id, chunk, writer, chunks.text, tags, metadata, created_at',
  from: 'nearest join memory_chunks chunks using (entry_id, chunk) join memory_entries using (entry_id)'
}
const bare = { columns: 'entry_id, source_id, chunk', from: 'nearest join memory_entries using (entry_id)' }
const shownOf = ({ isBare = false }: VectorQuery) => (isBare ? bare : whole)

/** What a statement has for a vector that was moved; `place` is that of its next parameter. */
function askedOf({ asked }: VectorQuery, place: number) {
  if (asked === undefined) return { distance: '', similarity: '', values: [] }
  return {
    distance: `, made.embedding <=> $${place}::vector as asked_distance`,
    similarity: ', 1 - asked_distance as asked_similarity',
    values: [vectorText(asked)]
  }
}

const filters = ({ model, writer, source_table, not_source_table, tags }: VectorQuery) =>
  [model, writer ?? null, source_table ?? null, not_source_table ?? null, tags ?? null] as const

/**
 * How many of n vectors may be compared one by one, `perRoot` times √n, and whether there are no more entries asked for
 * than that.
 */
export async function findFew(
  db: Queryable,
  { writer, source_table, not_source_table, tags }: Filters,
  perRoot: number
): Promise<{ few: number; are_few: boolean }> {
  const [found] = await db.query<{ few: number; are_few: boolean }>(
    `with size as (
       select least(greatest($5::int * sqrt(greatest(reltuples, 0)), 1000), 10000)::int as few
       from pg_class where oid = 'memory_embeddings'::regclass
     ), asked as (
       select from memory_entries where ($1::text is null or writer = $1) and ($2::text is null or source_table = $2)
         and ($3::text is null or source_table <> $3) and ($4::text[] is null or tags @> $4)
       limit (select few + 1 from size)
     )
     select few, (select count(*) from asked) <= few as are_few from size`,
    [writer ?? null, source_table ?? null, not_source_table ?? null, tags ?? null, perRoot]
  )
  return found ?? { few: 0, are_few: false }
}

/** The nearest of those compared, and how many of them all are as near as `min_similarity`. */
export interface Counted<Match> {
  matches: Match[]
  total: number
}

// Similarities are shown with six decimals.
const farthest = (min_similarity: number) => 1 - min_similarity + 5e-7

/** Compares every vector asked for, when there are `most` at most; null when there are more. */
export async function countNearestOfFew<Match extends EntryMatch = VectorMatch>(
  db: Queryable,
  query: VectorQuery,
  most: number
): Promise<Counted<Match> | null> {
  const { columns, from } = shownOf(query)
  const asked = askedOf(query, 10)
  const rows = await db.query<Match & { candidates: number; total: number }>(
    `with candidates as materialized (
       select entry_id, made.chunk, made.embedding <=> $6::vector as distance${asked.distance}
       from memory_embeddings made join memory_entries using (entry_id) where ${isAsked} limit $8
     ), counted as materialized (
       select count(*) as candidates, count(*) filter (where distance <= $9) as total from candidates
     ), nearest as materialized (
       select * from candidates order by distance limit $7
     )
     select ${columns}, 1 - distance as similarity${asked.similarity}, counted.candidates, counted.total
     from ${from} cross join counted order by distance`,
    [
      ...filters(query),
      ...[vectorText(query.embedding), query.limit, most + 1, farthest(query.min_similarity ?? 0)],
      ...asked.values
    ]
  )
  const [first] = rows
  if ((first?.candidates ?? 0) > most) return null
  return {
    matches: rows.map(({ candidates, total, ...match }) => match as unknown as Match),
    total: first?.total ?? 0
  }
}

/** Compares every vector asked for: right for few, slow for many. */
export const countNearestExactly = async <Match extends EntryMatch = VectorMatch>(
  db: Queryable,
  query: VectorQuery
): Promise<Counted<Match>> => (await countNearestOfFew<Match>(db, query, 2 ** 31 - 2)) ?? { matches: [], total: 0 }

export const listNearestExactly = async <Match extends EntryMatch = VectorMatch>(
  db: Queryable,
  query: VectorQuery
): Promise<Match[]> => (await countNearestExactly<Match>(db, query)).matches

/** Walks the HNSW index, on and on until the filters have let enough through. */
export function listNearestByIndex<Match extends EntryMatch = VectorMatch>(
  db: Queryable,
  query: VectorQuery
): Promise<Match[]> {
  const { columns, from } = shownOf(query)
  const asked = askedOf(query, 8)
  return db.query<Match>(
    `with nearest as materialized (
       select entry_id, made.chunk, made.embedding <=> $6::vector as distance${asked.distance}
       from memory_embeddings made join memory_entries using (entry_id)
       where ${isAsked} order by made.embedding <=> $6::vector limit $7
     )
     select ${columns}, 1 - distance as similarity${asked.similarity} from ${from} order by distance`,
    [...filters(query), vectorText(query.embedding), query.limit, ...asked.values]
  )
}

/** A passage met on a walk, in no order to speak of. */
export type Met = Pick<VectorMatch, 'entry_id' | 'chunk' | 'similarity'>

/** Begins a walk of the HNSW index that can be gone on with: the next rows are fetched from it. One at a time in a transaction. */
export async function beginWalk(tx: Queryable, query: VectorQuery, most: number): Promise<void> {
  await tx.query(
    `declare memory_walk no scroll cursor for
     select entry_id, made.chunk, 1 - (made.embedding <=> $6::vector) as similarity
     from memory_embeddings made join memory_entries using (entry_id)
     where ${isAsked} order by made.embedding <=> $6::vector limit $7`,
    [...filters(query), vectorText(query.embedding), most]
  )
}

export const walkOn = (tx: Queryable, rows: number): Promise<Met[]> =>
  tx.query<Met>(`fetch ${Math.trunc(rows)} from memory_walk`)

/** From here on a walk ends `rows` rows after its beginning, wherever the filters have brought it. */
export const limitWalk = async (tx: Queryable, rows: number): Promise<void> => {
  await tx.query("select set_config('hnsw.max_scan_tuples', $1, true)", [String(rows)])
}

export const endWalk = async (tx: Queryable): Promise<void> => {
  await tx.query('close memory_walk')
}

/** What passages say, of which the places are known. */
export async function listPassages(db: Queryable, met: readonly Met[]): Promise<VectorMatch[]> {
  return await db.query<VectorMatch>(
    `with nearest as (
       select * from unnest($1::uuid[], $2::int[], $3::float8[]) as met (entry_id, chunk, similarity)
     )
     select ${whole.columns}, similarity from ${whole.from}`,
    [met.map(({ entry_id }) => entry_id), met.map(({ chunk }) => chunk), met.map(({ similarity }) => similarity)]
  )
}

/** The mean of these entries' vectors, each entry counting once; null when none has one. */
export async function readMeanVector(
  db: Queryable,
  { model, source_table, source_ids }: { model: string; source_table: SourceTable; source_ids: readonly string[] }
): Promise<number[] | null> {
  const [row] = await db.query<{ mean: string | null }>(
    `select avg(mean)::text as mean from (
       select avg(embedding) as mean from memory_entries join memory_embeddings using (entry_id)
       where model = $1 and source_table = $2 and source_id = any($3::text[]) group by entry_id
     ) of_entry`,
    [model, source_table, source_ids]
  )
  return row?.mean ? (JSON.parse(row.mean) as number[]) : null
}

/**
 * Makes this transaction's searches use the indexes, and walk them on until the filters have let enough through, in the
 * order in which rows are met: with filters that is nearer to the truth than the strict order, and no slower. The planner
 * does not see that reading a row's vector or words costs far more than its page, nor what a filter lets through; starting
 * another process takes longer than the search.
 */
export async function preferIndexes(tx: Tx): Promise<void> {
  await tx.query(
    `select set_config('hnsw.ef_search', '200', true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
       set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'off', true),
       set_config('max_parallel_workers_per_gather', '0', true)`
  )
}

/** Texts of about `most` passages from all over the table; all of them where there are fewer. */
export async function listSampleTexts(db: Queryable, most: number): Promise<string[]> {
  const [size] = await db.query<{ passages: number }>(
    "select greatest(reltuples, 0)::int as passages from pg_class where oid = 'memory_chunks'::regclass"
  )
  // Twice as many pages as needed: some hold fewer passages than others. A table never analysed counts as small.
  const percent = Math.min(100, (200 * most) / Math.max(size?.passages ?? 0, 1))
  const rows = await db.query<{ text: string }>(
    'select text from memory_chunks tablesample system ($1) repeatable (1) limit $2',
    [percent, most]
  )
  return rows.map(row => row.text)
}

export interface EntryRow {
  entry_id: string
  source_id: string
  title: string | null
  text: string
  url: string | null
}

export async function listEntries(db: Queryable, entry_ids: readonly string[]): Promise<EntryRow[]> {
  return await db.query<EntryRow>(
    'select entry_id, source_id, title, text, url from memory_entries where entry_id = any($1::uuid[])',
    [entry_ids]
  )
}
