import type { Queryable } from '#core'

/** A block of terms that may hold one that was asked for. */
export interface PostingsRow {
  segment_id: number
  asked: string
  posts: Buffer
}

/** A block with positions, of the terms from `term` on. */
export interface PositionsRow {
  term: string
  part: number
  posts: Buffer
  positions: Buffer
}

/** The block that a term stands in is the last that begins with it, or before. A long list has several. */
const blocks = `wanted as materialized (
  select segment_id, asked, (
    select term from search_postings block where block.segment_id = segment.segment_id and term <= asked
    order by term desc limit 1
  ) as term
  from unnest($1::int[]) as segment (segment_id) cross join unnest($2::text[]) as query (asked)
)`

/** The blocks that may hold terms, by segment, in the order of their parts. */
export function listPostings(
  db: Queryable,
  segment_ids: readonly number[],
  terms: readonly string[]
): Promise<PostingsRow[]> {
  return db.query<PostingsRow>(
    `with ${blocks} select segment_id, asked, posts from wanted join search_postings using (segment_id, term)
     order by segment_id, asked, part`,
    [segment_ids, terms]
  )
}

/** The same with positions. */
export function listPositions(
  db: Queryable,
  segment_ids: readonly number[],
  terms: readonly string[]
): Promise<(PostingsRow & { positions: Buffer })[]> {
  return db.query(
    `with ${blocks} select segment_id, asked, posts, positions from wanted join search_postings using (segment_id, term)
     order by segment_id, asked, part`,
    [segment_ids, terms]
  )
}

/** A page of a segment's postings in their order, from a place on. */
export function listPostingsAfter(
  db: Queryable,
  segment_id: number,
  { term, part }: { term: string; part: number },
  limit: { rows: number; bytes: number }
): Promise<PositionsRow[]> {
  return db.query<PositionsRow>(
    `select term, part, posts, positions from (
       select *, sum(octet_length(posts) + octet_length(positions)) over (order by term, part)
         - octet_length(posts) - octet_length(positions) as before
       from (
         select * from search_postings where segment_id = $1 and (term, part) > ($2, $3) order by term, part limit $4
       ) as page
     ) as sized where before < $5 order by term, part`,
    [segment_id, term, part, limit.rows, limit.bytes]
  )
}
