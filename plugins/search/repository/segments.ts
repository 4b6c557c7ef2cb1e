import { batched } from '#concurrency'
import type { Db, Queryable, Tx } from '#core'
import type { PostingRows } from '../inverted-index/posting-rows.ts'

/** A part of the index that searches read. */
export interface Segment {
  segment_id: number
  first_generation: number
  last_generation: number
  posts: number
  postings: number
  bytes: number
  /** Of the posts of all its postings. */
  checksum: number
  is_damaged: boolean
}

export const bytesOfSegments = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { bytes }) => sum + bytes, 0)

/** The segments that searches read, in the order of their generations. */
export function listSegments(db: Queryable): Promise<Segment[]> {
  return db.query<Segment>(
    `select segment_id, first_generation, last_generation, posts, postings, bytes, checksum, is_damaged from search_segments
     where last_generation is not null and retired_at is null order by first_generation`
  )
}

/** Begins a segment, which no search reads yet. */
export async function createSegment(db: Queryable): Promise<number> {
  const [row] = await db.query<{ segment_id: number }>(
    'insert into search_segments default values returning segment_id'
  )
  if (row === undefined) throw new TypeError('An insert answered no row.')
  return row.segment_id
}

/** Adds postings to a segment that is being written. */
export async function addPostings(
  db: Queryable,
  segment_id: number,
  { terms, parts, nexts, postsFrom, positionsFrom, ends, bytes }: PostingRows
): Promise<void> {
  await db.query(
    `with written as (
       update search_segments set written_at = now() where segment_id = $1 and last_generation is null returning segment_id
     )
     insert into search_postings (segment_id, term, part, next, posts, positions)
     select written.segment_id, term, part, next, substring($8::bytea from posts_from + 1 for positions_from - posts_from),
       substring($8::bytea from positions_from + 1 for ends - positions_from)
     from written, unnest($2::text[], $3::int[], $4::text[], $5::int[], $6::int[], $7::int[])
       as given (term, part, next, posts_from, positions_from, ends)`,
    [
      segment_id,
      terms,
      parts,
      nexts,
      postsFrom,
      positionsFrom,
      ends,
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    ]
  )
}

/** What a finished segment holds. */
export interface SegmentTotals {
  posts: number
  postings: number
  bytes: number
  checksum: number
}

/** Waits until nobody else makes a segment ready. @returns the next generation */
export async function lockState(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ last_generation: number }>('select last_generation from search_state for update')
  return (row?.last_generation ?? 0) + 1
}

/** A text that was put into a segment, as it was read. */
export interface SegmentText {
  post_no: number
  text_version: number
  length_code: number
  language_code: number
}

/**
 * Has searches read a segment of texts from the commit on. Texts that changed meanwhile, or are being changed, go on waiting.
 * Call `lockState` before. @returns how many count from now on
 */
export async function publishSegment(
  tx: Tx,
  segment: { segment_id: number; generation: number; totals: SegmentTotals },
  texts: readonly SegmentText[]
): Promise<number> {
  const { segment_id, generation, totals } = segment
  let indexed = 0
  for (const batch of batched(texts, { maxItems: textsPerStatement }))
    indexed += await recordIndexed(tx, generation, batch)
  await tx.query('update search_state set last_generation = $1', [generation])
  await makeReady(tx, { segment_id, first: generation, last: generation, totals })
  return indexed
}

/** However the database goes about it, this takes less than a second. */
const textsPerStatement = 2_000

/** @returns how many were not changed, and are not being changed */
async function recordIndexed(tx: Tx, generation: number, texts: readonly SegmentText[]): Promise<number> {
  const rows = await tx.query(
    `with given as (
       select * from unnest($2::int[], $3::int[], $4::int[], $5::int[])
         as given (post_no, text_version, length_code, language_code)
     ), locked as (
       select search_posts.post_no, given.length_code, given.language_code from search_posts join given using (post_no, text_version)
       order by search_posts.post_no for update of search_posts skip locked
     )
     -- Not joined with what is given: without statistics of the table each text would be compared with every other.
     update search_posts set generation = $1, length_code = locked.length_code, language_code = locked.language_code,
       version = pg_current_xact_id()
     from locked where search_posts.post_no = locked.post_no returning 1 as indexed`,
    [
      generation,
      texts.map(text => text.post_no),
      texts.map(text => text.text_version),
      texts.map(text => text.length_code),
      texts.map(text => text.language_code)
    ]
  )
  return rows.length
}

interface ReadySegment {
  segment_id: number
  first: number
  last: number
  totals: SegmentTotals
}

async function makeReady(tx: Tx, { segment_id, first, last, totals }: ReadySegment): Promise<void> {
  const { posts, postings, bytes, checksum } = totals
  const rows = await tx.query(
    `update search_segments set first_generation = $2, last_generation = $3, posts = $4, postings = $5, bytes = $6::text::bigint,
       checksum = $7::text::bigint
     where segment_id = $1 and last_generation is null returning 1 as ready`,
    [segment_id, first, last, posts, postings, String(bytes), String(checksum)]
  )
  if (rows.length === 0) throw new TypeError(`The segment ${segment_id} was removed while it was written.`)
}

/**
 * Has searches read a segment instead of others, which follow each other. Call `lockState` before.
 * @returns false when one of them is no longer read
 */
export async function replaceSegments(
  tx: Tx,
  replaced: readonly Segment[],
  segment: { segment_id: number; totals: SegmentTotals }
): Promise<boolean> {
  const rows = await tx.query(
    'update search_segments set retired_at = now() where segment_id = any($1::int[]) and retired_at is null returning 1 as retired',
    [replaced.map(({ segment_id }) => segment_id)]
  )
  if (rows.length !== replaced.length) return false
  const first = Math.min(...replaced.map(each => each.first_generation))
  const last = Math.max(...replaced.map(each => each.last_generation))
  await makeReady(tx, { ...segment, first, last })
  return true
}

/** Has the texts of a segment indexed again. @returns false when no search reads it any more */
export async function markDamaged(tx: Tx, segment_id: number): Promise<boolean> {
  const rows = await tx.query(
    'update search_segments set is_damaged = true where segment_id = $1 and retired_at is null returning 1 as marked',
    [segment_id]
  )
  return rows.length > 0
}

/**
 * Stands for segments of these generations that are gone: its posts are to be indexed again, and its postings are known to be missing.
 * Call `lockState` before. @returns how many posts it has; 0 where none is missed
 */
export async function addLostSegment(tx: Tx, { first, last }: { first: number; last: number }): Promise<number> {
  const rows = await tx.query<{ posts: number }>(
    `with lost as (
       select $1::int as first, least($2::int, last_generation) as last from search_state
     ), counted as (
       select first, last, (
         select count(*)::int from search_posts where published is not null and generation between first and last
       ) as posts from lost
     )
     insert into search_segments (first_generation, last_generation, posts, postings, checksum, is_damaged)
     select first, last, posts, 1, -1, true from counted
     where posts > 0 and not exists (
       select from search_segments segment where last_generation is not null and retired_at is null
         and segment.first_generation <= counted.last and segment.last_generation >= counted.first
     ) returning posts`,
    [first, last]
  )
  return rows[0]?.posts ?? 0
}

/**
 * Has searches read the segments of these generations no more: each published text stands in a later one. Those that are not
 * published wait for a segment again, should they be.
 */
export async function retireSegments(tx: Tx, { first, last }: { first: number; last: number }): Promise<void> {
  await tx.query(
    `update search_segments set retired_at = now()
     where first_generation >= $1 and last_generation <= $2 and retired_at is null`,
    [first, last]
  )
  await tx.query(
    `update search_posts set generation = null, version = pg_current_xact_id() where generation between $1 and $2`,
    [first, last]
  )
}

/** Segments that no search reads: merged 20 seconds ago, or left by a writer that is gone. */
export async function listDiscarded(db: Queryable): Promise<number[]> {
  const rows = await db.query<{ segment_id: number }>(
    `select segment_id from search_segments
     where retired_at < now() - interval '20 seconds'
       or (last_generation is null and written_at < now() - interval '10 minutes') order by segment_id`
  )
  return rows.map(row => row.segment_id)
}

/** Removes at most `limit` postings of a segment, and the segment after the last. @returns whether it is gone */
export async function removeSegment(db: Queryable, segment_id: number, limit: number): Promise<boolean> {
  const rows = await db.query(
    `delete from search_postings where segment_id = $1 and ctid = any(array(
       select ctid from search_postings where segment_id = $1 limit $2
     )) returning 1 as removed`,
    [segment_id, limit]
  )
  if (rows.length === limit) return false
  await db.query('delete from search_segments where segment_id = $1', [segment_id])
  return true
}

/** Makes the space of removed postings free for others. */
export async function vacuumPostings(db: Db): Promise<void> {
  await db.script('vacuum search_postings')
}
