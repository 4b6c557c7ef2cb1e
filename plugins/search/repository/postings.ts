import type { Queryable } from '#core'

/** A block of terms that may hold one that was asked for. */
export interface PostingsRow {
  segment_id: number
  asked: string
  posts: Buffer
}

/** A page of a segment's rows, as parallel arrays; the posts and positions of all follow each other in `bytes`. */
export interface PostingsPage {
  terms: string[]
  parts: number[]
  posts_bytes: number[]
  positions_bytes: number[]
  bytes: Buffer
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

/** The rows of a segment in their order, from a place on; undefined after the last. One value for all bytes: a value for each takes longer. */
export async function readPostingsAfter(
  db: Queryable,
  segment_id: number,
  { term, part }: { term: string; part: number },
  limit: { rows: number; bytes: number }
): Promise<PostingsPage | undefined> {
  const [page] = await db.query<PostingsPage | { bytes: null }>(
    `select array_agg(term order by term, part) as terms, array_agg(part order by term, part) as parts,
       array_agg(octet_length(posts) order by term, part) as posts_bytes,
       array_agg(octet_length(positions) order by term, part) as positions_bytes,
       string_agg(posts || positions, ''::bytea order by term, part) as bytes
     from (
       select *, sum(octet_length(posts) + octet_length(positions)) over (order by term, part)
         - octet_length(posts) - octet_length(positions) as before
       from (
         select * from search_postings where segment_id = $1 and (term, part) > ($2, $3) order by term, part limit $4
       ) as page
     ) as sized where before < $5`,
    [segment_id, term, part, limit.rows, limit.bytes]
  )
  return page === undefined || page.bytes === null ? undefined : page
}
