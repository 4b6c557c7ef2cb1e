import type { Queryable, Tx } from '#core'
import { filterParams, filterSql, type PassageRow, passageColumns } from './vector-search.ts'
import type { WordQuery } from './word-search.ts'

/** Records the passages of entries that have no vector by the model that serves. */
export async function recordUnembedded(tx: Tx, entry_ids: readonly string[]): Promise<void> {
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

/** Deletes those of the entries' passages that have got a vector by `model`, if it is the one that serves. */
export async function deleteServed(tx: Tx, model: string, entry_ids: readonly string[]): Promise<void> {
  await tx.query(
    `delete from memory_waiting waiting using memory_embeddings made
     where waiting.entry_id = any($2::uuid[]) and made.entry_id = waiting.entry_id and made.chunk = waiting.chunk
       and made.model = $1 and exists (select from memory_models where model = $1 and is_serving)`,
    [model, entry_ids]
  )
}

/** Deletes every passage that has a vector by `model`, which serves from now on. */
export async function deleteAllServed(tx: Tx, model: string): Promise<void> {
  await tx.query(
    `delete from memory_waiting waiting using memory_embeddings made
     where made.entry_id = waiting.entry_id and made.chunk = waiting.chunk and made.model = $1`,
    [model]
  )
}

/** Passages without a vector by `model` that share words with a query, best first; the latest `maxScanned` are looked at. */
export async function listUnembeddedByWords(
  db: Queryable,
  query: WordQuery & { model: string }
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
     select ${passageColumns}
     from waiting join memory_chunks chunks using (entry_id, chunk) join memory_entries using (entry_id), asked
     where chunks.search @@ asked.query and ${filterSql(5)}
       and not exists (
         select from memory_embeddings made
         where made.entry_id = chunks.entry_id and made.chunk = chunks.chunk and made.model = $1
       )
     order by ts_rank_cd(chunks.search, asked.query) desc, entry_id, chunk limit $4`,
    [query.model, query.words, query.maxScanned, query.limit, ...filterParams(query)]
  )
}
