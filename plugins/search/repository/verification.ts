import { batched } from '#concurrency'
import type { Queryable, Tx } from '#core'
import { indexSeconds } from './index-time.ts'

/** When a post is published, as its entry should say. */
const published = `case when post.status = 'published' then ${indexSeconds('post.published_at')} end`

/** Posts whose entry in the index says something else than the post does, or is missing. */
const differing = `
  select post_no, ${published} as published
  from indexed_posts post left join search_posts entry using (post_no)
  where (entry.post_no is not null or post.status = 'published')
    and (entry.post_no is null
      or entry.published is distinct from ${published})
  union all
  select post_no, null from search_posts entry
  where published is not null and not exists (select from indexed_posts post where post.post_no = entry.post_no)`

/** Names a row of a segment. */
export interface RowKey {
  segment_id: number
  term: string
  part: number
}

/** A row as it is stored. */
interface KeyedRow extends RowKey {
  /** Which of those that were asked for, from 1 on. */
  at: number
  posts: Buffer
  positions: Buffer
}

/** How many posts the index is wrong about. */
export async function countDiffering(db: Queryable): Promise<number> {
  const [row] = await db.query<{ posts: number }>(`select count(*)::int as posts from (${differing}) as differing`)
  return row?.posts ?? 0
}

export async function repairDiffering(tx: Tx): Promise<void> {
  await tx.query(
    `insert into search_posts (post_no, published) select post_no, published from (${differing}) as differing
     on conflict (post_no) do update set published = excluded.published, revision = search_posts.revision + 1,
       version = pg_current_xact_id()`
  )
}

/** Published posts whose text should stand in a segment that is not there. */
const uncovered = `generation is not null and published is not null and not exists (
  select from search_segments where last_generation is not null and retired_at is null
    and generation between first_generation and last_generation
)`

/** Segments that searches read, and that have more or fewer rows than were written. */
export async function listIncomplete(db: Queryable): Promise<number[]> {
  const rows = await db.query<{ segment_id: number }>(
    `select segment_id from search_segments segment
     where last_generation is not null and retired_at is null
       and postings <> (select count(*) from search_postings row where row.segment_id = segment.segment_id)`
  )
  return rows.map(({ segment_id }) => segment_id)
}

/** Rows of segments that begin with a term that no word stands for, read from the index alone: posts and positions are most of the table. */
export const listRowsWithoutWord = (db: Queryable, limit: number): Promise<RowKey[]> =>
  db.query<RowKey>(
    `select row.segment_id, row.term, row.part from search_segments segment join search_postings row using (segment_id)
     where last_generation is not null and retired_at is null and row.term <> ''
       and not exists (select from post_words known where known.word = row.term)
     order by 1, 2, 3 limit $1`,
    [limit]
  )

/** Those of these rows that are there, in their order: the first ones, and no more of them once they have so many bytes. */
export const readRowsOf = (db: Queryable, keys: readonly RowKey[], maxBytes: number): Promise<KeyedRow[]> =>
  db.query<KeyedRow>(
    `with sized as materialized (
       select wanted.*, sum(octet_length(posts) + octet_length(positions)) over (order by at)
         - octet_length(posts) - octet_length(positions) as before
       from unnest($1::int[], $2::text[], $3::int[]) with ordinality as wanted (segment_id, term, part, at)
         join search_postings using (segment_id, term, part)
     )
     select at::int, segment_id, term, part, posts, positions
     from sized join search_postings using (segment_id, term, part) where before < $4 order by at`,
    [keys.map(({ segment_id }) => segment_id), keys.map(({ term }) => term), keys.map(({ part }) => part), maxBytes]
  )

export async function countUncovered(db: Queryable): Promise<number> {
  const [row] = await db.query<{ posts: number }>(`select count(*)::int as posts from search_posts where ${uncovered}`)
  return row?.posts ?? 0
}

/** Has their texts indexed again. */
export async function repairUncovered(tx: Tx): Promise<void> {
  await tx.query(`update search_posts set generation = null, version = pg_current_xact_id() where ${uncovered}`)
}

/** A post whose entry names a segment that it does not stand in. */
export interface MisplacedPost {
  post_no: number
  generation: number
}

const postsPerStatement = 10_000

/** Has their texts indexed again, unless that has happened since. */
export async function repairMisplaced(tx: Tx, posts: readonly MisplacedPost[]): Promise<void> {
  for (const some of batched(posts, { maxItems: postsPerStatement }))
    await tx.query(
      `update search_posts entry set generation = null, version = pg_current_xact_id()
       from unnest($1::int[], $2::int[]) as given (post_no, generation)
       where entry.post_no = given.post_no and entry.generation = given.generation`,
      [some.map(({ post_no }) => post_no), some.map(({ generation }) => generation)]
    )
}
