import type { Queryable } from '#core'
import type { SummaryRow } from '../representation.ts'
import { summaryColumns } from './columns.ts'

export interface RankedRow {
  post_id: string
  /** Null for a post that only its meaning matches. */
  rank: number | null
  published_at: string
  /** Public posts that contain the words, the ranked ones and the rest. */
  total: number
}

/**
 * The newest `cap` public posts that contain the words, with their rank, and those of `similar` that are public.
 * Ranking reads every matching text vector, so a common word's older matches are counted only.
 */
export function rankMatches(db: Queryable, q: string, cap: number, similar: readonly string[]): Promise<RankedRow[]> {
  return db.query<RankedRow>(
    `with wanted as (select websearch_to_tsquery('english', $1) as query),
     newest as (
       select p.post_id, p.search, p.published_at from public_posts p, wanted w
       where p.search @@ w.query order by p.published_at desc, p.post_id desc limit $2
     ),
     matches as (select count(*) as total from public_posts p, wanted w where p.search @@ w.query)
     select n.post_id, ts_rank(n.search, w.query) as rank, n.published_at, m.total from newest n, wanted w, matches m
     union all
     select p.post_id, case when p.search @@ w.query then ts_rank(p.search, w.query) end, p.published_at, m.total
     from public_posts p, wanted w, matches m
     where p.post_id = any($3::uuid[]) and p.post_id not in (select post_id from newest)`,
    [q, cap, similar]
  )
}

/** Matches beyond the ranked ones, newest first. */
export function listOlderMatches(db: Queryable, q: string, ranked: readonly string[], offset: number, limit: number) {
  return db.query<{ post_id: string }>(
    `select post_id from public_posts
     where search @@ websearch_to_tsquery('english', $1) and post_id <> all($2::uuid[])
     order by published_at desc, post_id desc limit $4 offset $3`,
    [q, ranked, offset, limit]
  )
}

/** Marks in headlines: private-use characters, which are replaced in the text itself. */
export const markStart = '\ue000'
export const markEnd = '\ue001'

/** Only this much of a text is looked through for a snippet: a headline parses all it is given. */
const headlineLength = 10_000

export type FoundRow = SummaryRow & { headline: string }

/** The posts with these ids that are public, each with its passages around the words. */
export function listFound(db: Queryable, q: string, post_ids: readonly string[]): Promise<FoundRow[]> {
  return db.query<FoundRow>(
    `select ${summaryColumns}, ts_headline('english', translate(left(content, ${headlineLength}), '${markStart}${markEnd}', '  '),
       websearch_to_tsquery('english', $1),
       'StartSel=${markStart}, StopSel=${markEnd}, MaxFragments=2, MaxWords=24, MinWords=8, FragmentDelimiter=" … "') as headline
     from public_posts where post_id = any($2::uuid[])`,
    [q, post_ids]
  )
}
