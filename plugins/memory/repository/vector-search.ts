import type { Queryable, Tx } from '#core'
import type { MemoryMatch, SourceTable } from '../index.ts'
import { vectorText } from './passages.ts'

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
const isEntryAsked = `($2::text is null or writer = $2) and ($3::text is null or source_table = $3)
  and ($4::text is null or source_table <> $4) and ($5::text[] is null or tags @> $5)`
const isAsked = `made.model = $1 and ${isEntryAsked}`
const whole = {
  columns: 'entry_id, source_table, source_id, chunk, writer, chunks.text, tags, metadata, created_at',
  // The planner would read every passage of an entry to find one.
  from: `nearest cross join lateral (
      select text from memory_chunks found where found.entry_id = nearest.entry_id and found.chunk = nearest.chunk limit 1
    ) as chunks join memory_entries using (entry_id)`
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

/** The nearest of those compared, and how many of them all are as near as `min_similarity`. */
export interface Counted<Match> {
  matches: Match[]
  total: number
}

/**
 * Compares every vector asked for when these are few: at most `perRoot` times √n of n vectors. Null when they are more,
 * which is counted first where entries have many passages.
 */
export async function countNearestOfFew<Match extends EntryMatch = VectorMatch>(
  db: Queryable,
  query: VectorQuery,
  perRoot: number
): Promise<Counted<Match> | null> {
  const asked = askedOf(query, 10)
  const comparing = `size as materialized (
      select least(greatest($9::float8 * sqrt(greatest(made.reltuples, 0)), 1000), 5000)::int as few,
        greatest(made.reltuples, 0) / greatest(entries.reltuples, 1) as passages
      from pg_class made, pg_class entries
      where made.oid = 'memory_embeddings'::regclass and entries.oid = 'memory_entries'::regclass
    ), entries as materialized (
      select entry_id from memory_entries where ${isEntryAsked} limit (select few + 1 from size)
    ), are_few as materialized (
      select case
          when asked > few then false
          when passages > 0 and asked * passages <= few then true
          else (
            select count(*) from (
              select from entries join memory_embeddings made using (entry_id) where made.model = $1
              limit (select few + 1 from size)
            ) as counted
          ) <= few
        end as seem
      from size, (select count(*) as asked from entries) as counted
    ), compared as materialized (
      select entry_id, made.chunk, made.embedding <=> $6::vector as distance${asked.distance}
      from entries join memory_embeddings made using (entry_id)
      where made.model = $1 and (select seem from are_few) limit (select few + 1 from size)
    ), whether as materialized (
      select seem and (select count(*) from compared) <= few as is_answer, null::float8 as nearest from are_few, size
    )`
  const rows = await db.query<Match & CountedRow>(countSql(query, comparing, asked.similarity), [
    ...countValues(query),
    perRoot,
    ...asked.values
  ])
  return answerOf<Match>(rows)
}

/**
 * Looks at the `most` vectors nearest of all, which one walk of the HNSW index finds, and looks up the entry of each: the
 * planner would rather read all of a writer's. `counted` is null when fewer than `limit` of them are asked for, while
 * vectors behind them may be near enough; `nearest` is the distance of the nearest of all.
 */
export async function countAmongNearest<Match extends EntryMatch = VectorMatch>(
  db: Queryable,
  query: VectorQuery,
  most: number
): Promise<{ counted: Counted<Match> | null; nearest: number }> {
  const comparing = `met as materialized (
      select entry_id, made.chunk, made.embedding <=> $6::vector as distance
      from memory_embeddings made where made.model = $1 order by made.embedding <=> $6::vector limit $9
    ), ${metAsked}, whether as materialized (
      select count(*) >= $7 or (select max(distance) from met) > $8 as is_answer, (select min(distance) from met) as nearest
      from compared
    )`
  const rows = await db.query<Match & CountedRow>(countSql(query, comparing), [...countValues(query), most])
  return { counted: answerOf(rows), nearest: rows[0]?.nearest ?? 2 }
}

/** Looks at the `most` vectors nearest to the middle between the vector and that of a passage. */
export async function countAmongNeighbours<Match extends EntryMatch = VectorMatch>(
  db: Queryable,
  query: VectorQuery,
  { entry_id, chunk }: Place,
  most: number
): Promise<Counted<Match>> {
  const comparing = `start as materialized (
      select embedding + $6::vector as embedding from memory_embeddings where entry_id = $10::uuid and chunk = $11 and model = $1
    ), met as materialized (
      select entry_id, made.chunk, made.embedding <=> $6::vector as distance
      from memory_embeddings made where made.model = $1 order by made.embedding <=> (select embedding from start) limit $9
    ), ${metAsked}, whether as (select true as is_answer, null::float8 as nearest)`
  const values = [...countValues(query), most, entry_id, chunk]
  return answerOf<Match>(await db.query<Match & CountedRow>(countSql(query, comparing), values)) ?? none
}

const metAsked = `compared as materialized (
      select met.* from met cross join lateral (
        select from memory_entries where memory_entries.entry_id = met.entry_id and ${isEntryAsked} limit 1
      ) as entry
    )`

/** Where a passage is. */
export interface Place {
  entry_id: string
  chunk: number
}

// Of each word: enough that one of them is on what the question is about.
const passagesOfWord = 16

/** Of some passages that hold one of the words, the one nearest to the question; null when none holds one. */
export async function findByWord(
  db: Queryable,
  { model, embedding }: Pick<VectorQuery, 'model' | 'embedding'>,
  words: readonly string[]
): Promise<(Place & { distance: number }) | null> {
  const [nearest] = await db.query<Place & { distance: number }>(
    `with hits as materialized (
       select distinct hit.entry_id, hit.chunk
       from unnest($3::text[]) as given (text), plainto_tsquery('english', given.text) as word
         cross join lateral (
           select entry_id, chunk from memory_chunks where search @@ word limit ${passagesOfWord}
         ) as hit
       where numnode(word) > 0
     )
     select entry_id, made.chunk, made.embedding <=> $2::vector as distance
     from hits join memory_embeddings made using (entry_id, chunk) where made.model = $1 order by distance limit 1`,
    [model, vectorText(embedding), words]
  )
  return nearest ?? null
}

/** Compares every vector asked for: right for few, slow for many. */
export async function countNearestExactly<Match extends EntryMatch = VectorMatch>(
  db: Queryable,
  query: VectorQuery
): Promise<Counted<Match>> {
  const asked = askedOf(query, 9)
  const comparing = `compared as materialized (
      select entry_id, made.chunk, made.embedding <=> $6::vector as distance${asked.distance}
      from memory_embeddings made join memory_entries using (entry_id) where ${isAsked}
    ), whether as (select true as is_answer, null::float8 as nearest)`
  const values = [...countValues(query), ...asked.values]
  const rows = await db.query<Match & CountedRow>(countSql(query, comparing, asked.similarity), values)
  return answerOf<Match>(rows) ?? none
}

const none = { matches: [], total: 0 }

interface CountedRow {
  is_answer: boolean
  nearest: number | null
  total: number
}

/** `comparing` has the distances, and whether they are the answer. One row at least: where nothing is near, its match is null. */
function countSql(query: VectorQuery, comparing: string, similarity = ''): string {
  const { columns, from } = shownOf(query)
  return `with ${comparing}, counted as materialized (
      select count(*) filter (where distance <= $8) as total from compared
    ), nearest as materialized (
      select * from compared where (select is_answer from whether) order by distance limit $7
    )
    select is_answer, whether.nearest, total, ${columns}, 1 - distance as similarity${similarity}
    from whether cross join counted left join (${from}) on true order by distance`
}

// Similarities are shown with six decimals, and those below 0 as 0.
const farthest = (min_similarity: number) => (min_similarity === 0 ? 2.1 : 1 - min_similarity + 5e-7)

const countValues = (query: VectorQuery) =>
  [...filters(query), vectorText(query.embedding), query.limit, farthest(query.min_similarity ?? 0)] as const

function answerOf<Match extends EntryMatch>(rows: readonly (Match & CountedRow)[]): Counted<Match> | null {
  const [first] = rows
  if (!first?.is_answer) return null
  const matches = rows.map(({ is_answer, nearest, total, ...match }) => match as unknown as Match)
  return { matches: matches.filter(({ entry_id }) => entry_id !== null), total: first.total }
}

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
 * order in which rows are met: with filters that is nearer to the truth than the strict order, and no slower. Before
 * version 0.8 pgvector walks once, and what that leaves out is compared. The planner does not see that reading a row's
 * vector or words costs far more than its page, nor what a filter lets through; starting another process, or compiling the
 * plan, takes longer than the search.
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
