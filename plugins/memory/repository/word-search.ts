import type { Queryable } from '#core'
import { type Filters, filterParams, filterSql, type PassageRow, passageColumns } from './vector-search.ts'

export interface WordMatch {
  entry_id: string
  score: number
}

/** What passages are found by: words, of each of which `maxScanned` passages are looked at. */
export interface WordQuery extends Filters {
  words: readonly string[]
  maxScanned: number
  limit: number
}

// The best 100 passages by the words they share with $1, rare words counting more. $2 is `maxScanned`, $3 to $6 are the filters.
const passages = `words as materialized (
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
  )`

const parameters = (query: WordQuery) => [query.words, query.maxScanned, ...filterParams(query)] as const

/** Entries by the words they share with a topic, best first; of their passages the best count by how densely they use the words. */
export async function listByWords(db: Queryable, query: WordQuery): Promise<WordMatch[]> {
  return await db.query<WordMatch>(
    `with ${passages}, ranked as (
       select entry_id, weight * (1 + ts_rank_cd(chunks.search, topic.query, 33)) as score
       from passages join memory_chunks chunks using (entry_id, chunk),
         (select string_agg(word::text, ' | ')::tsquery as query from words) as topic
     )
     select entry_id, max(score) + 0.1 * sum(score) as score
     from ranked group by entry_id order by score desc, entry_id limit $7`,
    [...parameters(query), query.limit]
  )
}

/** Passages by the words they share with a query, best first. */
export async function listPassagesByWords(db: Queryable, query: WordQuery): Promise<PassageRow[]> {
  return await db.query<PassageRow>(
    `with ${passages}
     select ${passageColumns}
     from passages join memory_chunks chunks using (entry_id, chunk) join memory_entries using (entry_id)
     order by weight desc, entry_id, chunk limit $7`,
    [...parameters(query), query.limit]
  )
}
