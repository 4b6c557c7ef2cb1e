import type { Queryable, Tx } from '#core'
import type { MemoryCount, SourceTable } from '../index.ts'
import type { EntryPassage } from '../passages.ts'
import { nilUuid } from './entries.ts'

/** A vector is about 8 kB of text: writing out more at once would hold the event loop for longer than a few milliseconds. */
const rowsPerStatement = 25

/** A vector as pgvector reads it. */
export const vectorText = (vector: readonly number[]): string => `[${vector.join(',')}]`

/** A vector from pgvector's text, which is JSON. */
const parseVector = (text: string): number[] => JSON.parse(text)

/** A passage without a vector. `text_hash` tells whether it still is the same when the vector is there. */
export interface PendingPassage extends EntryPassage {
  text_hash: string
}

const pending = (which: string) => `select entry_id, chunk, text, md5(text) as text_hash
  from memory_chunks chunks
  where ${which} (entry_id, chunk) > ($2::uuid, $3::int) and not exists (
    select from memory_embeddings made
    where made.entry_id = chunks.entry_id and made.chunk = chunks.chunk and made.model = $1
  ) and not exists (
    select from memory_refusals refused
    where refused.entry_id = chunks.entry_id and refused.chunk = chunks.chunk and refused.model = $1
  )
  order by entry_id, chunk limit $4`
/** Two texts: one with "or" in it would be planned for neither. */
const pendingOfAll = pending('')
const pendingOfSome = pending('entry_id = any($5::uuid[]) and')

/** Passages without a vector of `model` that it has not refused, of these entries or (null) of all, in key order after `after`. */
export async function listPending(
  db: Queryable,
  model: string,
  { entry_ids, after, limit }: { entry_ids: readonly string[] | null; after: PendingPassage | null; limit: number }
): Promise<PendingPassage[]> {
  const params = [model, after?.entry_id ?? nilUuid, after?.chunk ?? -1, limit]
  return entry_ids === null
    ? await db.query<PendingPassage>(pendingOfAll, params)
    : await db.query<PendingPassage>(pendingOfSome, [...params, entry_ids])
}

/** Saves the vectors of an entry's chunks, in their order. */
export async function insertEmbeddings(
  tx: Tx,
  entry_id: string,
  model: string,
  embeddings: readonly number[][]
): Promise<void> {
  for (let first = 0; first < embeddings.length; first += rowsPerStatement) {
    await tx.query(
      `insert into memory_embeddings (entry_id, chunk, model, embedding)
       select $1, $2::int + position - 1, $3, embedding::vector
       from unnest($4::text[]) with ordinality as vectors (embedding, position)`,
      [entry_id, first, model, embeddings.slice(first, first + rowsPerStatement).map(vectorText)]
    )
  }
}

/** Until the transaction ends no other one that asks for it goes on. */
export async function lockVectorWrites(tx: Tx): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('memory.embeddings', 0))")
}

/** Saves vectors made after the chunks were; one whose chunk reads differently by now is left out. Answers how many were saved. */
export async function addEmbeddings(
  tx: Tx,
  model: string,
  chunks: readonly PendingPassage[],
  embeddings: readonly number[][]
): Promise<number> {
  const rows = await tx.query(
    `insert into memory_embeddings (entry_id, chunk, model, embedding)
     select chunks.entry_id, chunks.chunk, $1, made.embedding::vector
     from unnest($2::uuid[], $3::int[], $4::text[], $5::text[]) as made (entry_id, chunk, text_hash, embedding)
     join memory_chunks chunks using (entry_id, chunk)
     where md5(chunks.text) = made.text_hash
     on conflict do nothing
     returning 1`,
    [
      model,
      chunks.map(chunk => chunk.entry_id),
      chunks.map(chunk => chunk.chunk),
      chunks.map(chunk => chunk.text_hash),
      embeddings.map(vectorText)
    ]
  )
  return rows.length
}

/** Vectors by a model of passages with these md5 hashes, whatever entry they are in. */
export async function listVectorsOfTexts(
  db: Queryable,
  model: string,
  hashes: readonly string[]
): Promise<Map<string, number[]>> {
  const rows = await db.query<{ text_hash: string; embedding: string }>(
    `select distinct on (md5(chunks.text)) md5(chunks.text) as text_hash, made.embedding::text as embedding
     from memory_chunks chunks join memory_embeddings made using (entry_id, chunk)
     where md5(chunks.text) = any ($2::text[]) and made.model = $1`,
    [model, hashes]
  )
  return new Map(rows.map(row => [row.text_hash, parseVector(row.embedding)]))
}

/** Selects the `mean` of vectors of entries, each entry counting once: of a model, a source table and ids of sources, as parameters. */
export const meanOfEntries = (
  model: string,
  source_table: string,
  source_ids: string
) => `select avg(mean) as mean from (
    select avg(embedding) as mean from memory_entries join memory_embeddings using (entry_id)
    where model = ${model} and source_table = ${source_table} and source_id = any(${source_ids}::text[]) group by entry_id
  ) of_entry`

/** The mean of these entries' vectors; null when none has one. */
export async function readMeanVector(
  db: Queryable,
  { model, source_table, source_ids }: { model: string; source_table: SourceTable; source_ids: readonly string[] }
): Promise<number[] | null> {
  const [row] = await db.query<{ mean: string | null }>(
    `select mean::text from (${meanOfEntries('$1', '$2', '$3')}) of_all`,
    [model, source_table, source_ids]
  )
  return row?.mean ? parseVector(row.mean) : null
}

export interface CountRow extends Omit<MemoryCount, 'key'> {
  source_table: string | null
  writer: string | null
  pending: number
  refused: number
}

const counts = (isSame: boolean) => {
  const join = (name: string, table: string, model: string) =>
    `left join ${table} ${name} on ${name}.entry_id = chunks.entry_id and ${name}.chunk = chunks.chunk and ${name}.model = ${model}`
  const wanted = isSame ? 'made' : 'wanted'
  return `select source_table, writer, count(made.model) as count, count(refused.model) as refused,
       count(*) filter (where ${wanted}.model is null and refused.model is null) as pending,
       min(created_at) as oldest, max(created_at) as newest
     from memory_entries
     left join memory_chunks chunks using (entry_id)
     ${join('made', 'memory_embeddings', '$1')}
     ${isSame ? '' : join('wanted', 'memory_embeddings', '$2')}
     ${join('refused', 'memory_refusals', '$2')}
     group by grouping sets ((source_table), (writer), ())
     order by count desc, source_table, writer`
}
const countsOfOne = counts(true)
const countsOfTwo = counts(false)

/**
 * Counts by source table, by writer (the other is null), and of everything (both are null): embeddings by the model that
 * serves, and what waits for one by the model that is wanted. An entry not cut yet is one that is pending.
 */
export async function countEmbeddings(db: Queryable, serving: string, wanted: string): Promise<CountRow[]> {
  return await db.query<CountRow>(serving === wanted ? countsOfOne : countsOfTwo, [serving, wanted])
}
