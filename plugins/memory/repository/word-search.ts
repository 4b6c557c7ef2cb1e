import type { Queryable } from '#core'
import { type Filters, filterParams, filterSql, type PassageRow, passageColumns } from './vector-search.ts'

/** What passages are found by: words, of each of which `maxScanned` passages are looked at. */
export interface WordQuery extends Filters {
  words: readonly string[]
  maxScanned: number
  limit: number
}

/** The best passages, 100 at most, by the words they share with a query, rare words counting more. */
export async function listPassagesByWords(db: Queryable, query: WordQuery): Promise<PassageRow[]> {
  return await db.query<PassageRow>(
    `with words as materialized (
       select distinct word from unnest($1::text[]) as given (text), plainto_tsquery('english', given.text) as word
       where numnode(word) > 0
     ), hits as materialized (
       select entry_id, chunk, count(*) over (partition by word) as found
       from words cross join lateral (
         select chunks.entry_id, chunks.chunk from memory_chunks chunks join memory_entries using (entry_id)
         where chunks.search @@ word and ${filterSql(3)}
         limit $2
       ) as hit
     ), passages as materialized (
       select entry_id, chunk, sum(ln(1 + all_chunks.count / found::float8)) as weight
       from hits, (select count(*) from (select from memory_chunks limit $2) as counted) as all_chunks
       group by entry_id, chunk order by weight desc, entry_id, chunk limit 100
     )
     select ${passageColumns}
     from passages join memory_chunks chunks using (entry_id, chunk) join memory_entries using (entry_id)
     order by weight desc, entry_id, chunk limit $7`,
    [query.words, query.maxScanned, ...filterParams(query), query.limit]
  )
}
