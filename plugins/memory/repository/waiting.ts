import type { Queryable, Tx } from '#core'
import type { PassageRow } from './vector-search.ts'
import type { WordQuery } from './word-search.ts'

/** Notes the passages of entries that have no vector by the model that serves. */
export async function recordWaiting(tx: Tx, entry_ids: readonly string[]): Promise<void> {
  await tx.query(
    `insert into memory_waiting (entry_id, chunk)
     select entry_id, chunk from memory_chunks chunks
     where entry_id = any($1::uuid[]) and not exists (
       select from memory_embeddings made join memory_models using (model)
       where is_serving and made.entry_id = chunks.entry_id and made.chunk = chunks.chunk
     )
     on conflict do nothing`,
    [entry_ids]
  )
}

/** Forgets those of the entries' passages that have got a vector by `model`, if it is the one that serves. */
export async function forgetServed(tx: Tx, model: string, entry_ids: readonly string[]): Promise<void> {
  await tx.query(
    `delete from memory_waiting waiting using memory_embeddings made
     where waiting.entry_id = any($2::uuid[]) and made.entry_id = waiting.entry_id and made.chunk = waiting.chunk
       and made.model = $1 and exists (select from memory_models where model = $1 and is_serving)`,
    [model, entry_ids]
  )
}

/** Forgets every passage that has a vector by `model`, which serves from now on. */
export async function forgetAllServed(tx: Tx, model: string): Promise<void> {
  await tx.query(
    `delete from memory_waiting waiting using memory_embeddings made
     where made.entry_id = waiting.entry_id and made.chunk = waiting.chunk and made.model = $1`,
    [model]
  )
}

/** Passages without a vector by `model` that share words with a question, best first; the latest `maxScanned` are looked at. */
export async function listWaitingByWords(
  db: Queryable,
  { model, words, maxScanned, limit, writer, source_table, not_source_table, tags }: WordQuery & { model: string }
): Promise<PassageRow[]> {
  return await db.query<PassageRow>(
    `with waiting as materialized (
       (select entry_id, chunk from memory_waiting order by since desc limit $3)
       union
       (select entry_id, chunk from memory_refusals where model = $1 order by refused_at desc limit $3)
     ), asked as materialized (
       select string_agg(word::text, ' | ')::tsquery as query
       from unnest($2::text[]) as given (text), plainto_tsquery('english', given.text) as word where numnode(word) > 0
     )
     select entry_id, source_table, source_id, chunk, writer, chunks.text, tags, metadata, created_at
     from waiting join memory_chunks chunks using (entry_id, chunk) join memory_entries using (entry_id), asked
     where chunks.search @@ asked.query and ($5::text is null or writer = $5)
       and ($6::text is null or source_table = $6) and ($7::text is null or source_table <> $7)
       and ($8::text[] is null or tags @> $8) and not exists (
         select from memory_embeddings made
         where made.entry_id = chunks.entry_id and made.chunk = chunks.chunk and made.model = $1
       )
     order by ts_rank_cd(chunks.search, asked.query) desc, entry_id, chunk limit $4`,
    [model, words, maxScanned, limit, writer ?? null, source_table ?? null, not_source_table ?? null, tags ?? null]
  )
}
