import type { Queryable } from '#core'
import { fromBase64, toBase64 } from './base64.ts'

/** A block of terms that may hold one that was asked for. */
export interface PostingsRow {
  segment_id: number
  asked: string
  part: number
  /** The term that was asked for stands before the next row. */
  is_last: boolean
  posts: Buffer
}

/** The same with the positions of its terms. A long list, which has rows of its own, comes without its posts. */
export interface PositionsRow extends Omit<PostingsRow, 'posts'> {
  posts: Buffer | null
  positions: Buffer
}

/** A row with columns of bytes as text. */
type AsText<Row, Column extends keyof Row> = Omit<Row, Column> & Record<Column, string>

/** How many rows have the long lists of a term, those of several rows. */
interface RowCount {
  asked: string
  rows: number
}

/** A page of a segment's rows, as parallel arrays; the posts and positions of all follow each other in `bytes`. */
interface PostingsPage {
  terms: string[]
  parts: number[]
  posts_bytes: number[]
  positions_bytes: number[]
  bytes: Buffer
}

/**
 * The block that a term stands in is the last that begins with it, or before. A long list has several. The arrays are subqueries, so
 * that a plan costs the same for any number of elements: the server plans the statement a few times, and not at each search.
 */
const blocks = `wanted as materialized (
  select segment_id, asked, (
    select term from search_postings block where block.segment_id = segment.segment_id and term <= asked
    order by term desc limit 1
  ) as term
  from unnest((select $1::int[]), (select $2::text[])) as segment (segment_id, asked)
)`

/** Looked up for each that is wanted, and not joined. */
const ofBlocks = (
  columns: readonly ('posts' | 'positions')[],
  values = columns.map(column => `${toBase64(column)} as ${column}`)
) => `with ${blocks} select segment_id, asked, part, is_last,
  ${values.join(', ')} from wanted cross join lateral (
  select part, next > asked as is_last, ${columns.join(', ')} from search_postings block
  where block.segment_id = wanted.segment_id and block.term = wanted.term offset 0
) as found order by segment_id, asked, part`

const postsOfBlocks = ofBlocks(['posts'])
/** So long is no row that several terms share. Who asks for the positions of a long list has its posts, a third of the bytes. */
const minBytesWithoutPosts = 8192
const positionsOfBlocks = ofBlocks(
  ['posts', 'positions'],
  [
    `case when octet_length(posts) < ${minBytesWithoutPosts} then ${toBase64('posts')} end as posts`,
    `${toBase64('positions')} as positions`
  ]
)
const rowsOfLongLists = `with ${blocks} select asked, sum(rows)::int as rows from wanted cross join lateral (
  select count(*) as rows from search_postings block
  where block.segment_id = wanted.segment_id and block.term = wanted.term
) as counted where rows > 1 group by asked`

/** Terms and the segments they are wanted of, and about how many bytes all segments have. */
interface WantedPostings {
  lists: readonly { segment_id: number; term: string }[]
  indexBytes: number
}

const paramsOf = ({ lists }: WantedPostings) => [
  lists.map(({ segment_id }) => segment_id),
  lists.map(({ term }) => term)
]

/** A plan made for a few rows reads them all, and stays when there are thousands. With another text it is made again. */
const plannedFor = (sql: string, { indexBytes }: WantedPostings) =>
  `${sql}\n-- planned for 2^${Math.ceil(Math.log2(indexBytes + 1))} bytes`

/** The blocks that may hold terms, by segment, in the order of their parts. */
export function listPostings(db: Queryable, wanted: WantedPostings): Promise<PostingsRow[]> {
  return db.query<PostingsRow>(plannedFor(postsOfBlocks, wanted), paramsOf(wanted), { parse: { posts: fromBase64 } })
}

/** How many rows the long lists of terms take. A term without any is left out. */
export const countRows = (db: Queryable, wanted: WantedPostings): Promise<RowCount[]> =>
  db.query<RowCount>(plannedFor(rowsOfLongLists, wanted), paramsOf(wanted))

/** The same with positions. `read` decodes base64 into memory of its own. */
export function listPositions(
  db: Queryable,
  wanted: WantedPostings,
  read: (base64: string) => Buffer
): Promise<PositionsRow[]> {
  return db.query<PositionsRow>(plannedFor(positionsOfBlocks, wanted), paramsOf(wanted), {
    parse: { posts: read, positions: read }
  })
}

/** The rows of a segment in their order, from a place on; undefined after the last. One value for all bytes: a value for each takes longer. */
export async function readPostingsAfter(
  db: Queryable,
  segment_id: number,
  { term, part }: { term: string; part: number },
  limit: { rows: number; bytes: number }
): Promise<PostingsPage | undefined> {
  const [page] = await db.query<AsText<PostingsPage, 'bytes'> | { bytes: null }>(
    `select array_agg(term order by term, part) as terms, array_agg(part order by term, part) as parts,
       array_agg(octet_length(posts) order by term, part) as posts_bytes,
       array_agg(octet_length(positions) order by term, part) as positions_bytes,
       ${toBase64(`string_agg(posts || positions, ''::bytea order by term, part)`)} as bytes
     from (
       select *, sum(octet_length(posts) + octet_length(positions)) over (order by term, part)
         - octet_length(posts) - octet_length(positions) as before
       from (
         select * from search_postings where segment_id = $1 and (term, part) > ($2, $3) order by term, part limit $4
       ) as page
     ) as sized where before < $5`,
    [segment_id, term, part, limit.rows, limit.bytes]
  )
  return page === undefined || page.bytes === null ? undefined : { ...page, bytes: fromBase64(page.bytes) }
}
