import type { Queryable } from '#core'

export interface PostingsRow {
  segment_id: number
  term: string
  part: number
  posts: Buffer
}
export interface PositionsRow extends PostingsRow {
  positions: Buffer
}

/** The posts that have terms, by segment. Terms that a segment lacks are left out. */
export function listPostings(
  db: Queryable,
  segment_ids: readonly number[],
  terms: readonly string[]
): Promise<PostingsRow[]> {
  return db.query<PostingsRow>(
    `select segment_id, term, part, posts from search_postings
     where segment_id = any($1::int[]) and term = any($2::text[]) order by segment_id, term, part`,
    [segment_ids, terms]
  )
}

/** The same with positions. */
export function listPositions(
  db: Queryable,
  segment_ids: readonly number[],
  terms: readonly string[]
): Promise<PositionsRow[]> {
  return db.query<PositionsRow>(
    `select segment_id, term, part, posts, positions from search_postings
     where segment_id = any($1::int[]) and term = any($2::text[]) order by segment_id, term, part`,
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
    `select segment_id, term, part, posts, positions from (
       select *, sum(octet_length(posts) + octet_length(positions)) over (order by term, part)
         - octet_length(posts) - octet_length(positions) as before
       from (
         select * from search_postings where segment_id = $1 and (term, part) > ($2, $3) order by term, part limit $4
       ) as page
     ) as sized where before < $5 order by term, part`,
    [segment_id, term, part, limit.rows, limit.bytes]
  )
}
