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

/** A row of a segment, as it is stored. */
export interface RowWithoutWord {
  segment_id: number
  term: string
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

/**
 * Rows of segments that begin with a term that no word stands for, with all that tells whether they are damaged. Which ones is read from
 * the index alone: posts and positions are most of a table that may be large.
 */
export const listRowsWithoutWord = (db: Queryable, limit: number): Promise<RowWithoutWord[]> =>
  db.query<RowWithoutWord>(
    `with missing as materialized (
       select row.segment_id, row.term, row.part from search_segments segment join search_postings row using (segment_id)
       where last_generation is not null and retired_at is null and row.term <> ''
         and not exists (select from post_words known where known.word = row.term)
       order by 1, 2, 3 limit $1
     )
     select segment_id, term, posts, positions from missing join search_postings using (segment_id, term, part)
     order by segment_id, term, part`,
    [limit]
  )

export async function countUncovered(db: Queryable): Promise<number> {
  const [row] = await db.query<{ posts: number }>(`select count(*)::int as posts from search_posts where ${uncovered}`)
  return row?.posts ?? 0
}

/** Has their texts indexed again. */
export async function repairUncovered(tx: Tx): Promise<void> {
  await tx.query(`update search_posts set generation = null, version = pg_current_xact_id() where ${uncovered}`)
}
