import type { Db, Queryable } from '#core'
import { type FacetKind, otherName } from './tally.ts'

/** Views of a post on a day. */
export interface PostCount {
  day: string
  post_id: string
  views: number
  machines: number
}

/** Views on a day by where readers came from, their country, or the kind of machine. */
export interface FacetCount {
  day: string
  kind: FacetKind
  name: string
  views: number
}

/** Names of one kind that a day has at most, about: anybody can make up hosts. */
const maxNames = 1_000

/** Adds counts to the stored ones, all or none. In one order, so that no two processes wait for each other. */
export async function addCounts(db: Db, posts: readonly PostCount[], facets: readonly FacetCount[]): Promise<void> {
  await db.query(
    `with given as (
       select day, post_id, views, machines
       from jsonb_to_recordset($1::jsonb) as count (day date, post_id uuid, views integer, machines integer)
     ), days as (
       insert into analytics_days as present (day, views, machines)
       select day, sum(views), sum(machines) from given group by day order by day
       on conflict (day) do update set views = present.views + excluded.views, machines = present.machines + excluded.machines
     ), by_post as (
       insert into analytics_posts as present (day, post_id, views, machines)
       select day, post_id, sum(views), sum(machines) from given group by day, post_id order by day, post_id
       on conflict (day, post_id) do update
         set views = present.views + excluded.views, machines = present.machines + excluded.machines
     ), facets as (
       select day, kind, views, case when exists (
           select from analytics_facets as present
           where present.day = facet.day and present.kind = facet.kind and present.name = facet.name
         ) or (
           select count(*) from analytics_facets as present where present.day = facet.day and present.kind = facet.kind
         ) < ${maxNames} then name else '${otherName}' end as name
       from jsonb_to_recordset($2::jsonb) as facet (day date, kind text, name text, views integer)
     )
     insert into analytics_facets as present (day, kind, name, views)
     select day, kind, name, sum(views) from facets group by day, kind, name order by day, kind, name
     on conflict (day, kind, name) do update set views = present.views + excluded.views`,
    [JSON.stringify(posts), JSON.stringify(facets)]
  )
}

export interface DayCount {
  day: string
  views: number
  machines: number
}

/** The days from `first` on that have any views, in their order. */
export function listDays(db: Queryable, first: string): Promise<DayCount[]> {
  return db.query<DayCount>(
    'select day::text, views, machines from analytics_days where day >= $1::date order by day',
    [first]
  )
}

/** What views are summed by: the post, or a facet. */
export type SummedBy = 'post' | FacetKind

/** Views by readers and by machines of one post, by its id, or of one name. */
export interface Sum {
  key: string
  views: number
  machines: number
}

const sums = 'key, sum(views)::bigint as views, sum(machines)::bigint as machines'
/** Most views first; of equals the one with fewer machines. */
const inOrder = 'order by views desc, machines, key'

const rowsBy = (by: SummedBy): string =>
  by === 'post'
    ? '(select day, post_id as key, views, machines from analytics_posts) as counted'
    : `(select day, name as key, views, 0 as machines from analytics_facets where kind = '${by}') as counted`
const keysOf = (by: SummedBy): string => (by === 'post' ? 'uuid[]' : 'text[]')

/** The most viewed from the day `first` on, and before the day `end` where one is given. */
export function listMostViewed(
  db: Queryable,
  by: SummedBy,
  { first, end = 'infinity' }: { first: string; end?: string },
  limit: number
): Promise<Sum[]> {
  return db.query<Sum>(
    `select ${sums} from ${rowsBy(by)} where day >= $1::date and day < $2::date group by key ${inOrder} limit $3`,
    [first, end, limit]
  )
}

/** The most viewed from `first` on, and those of `keys` that have any views, in no order. */
export function listMostViewedAnd(
  db: Queryable,
  by: SummedBy,
  { first, keys }: { first: string; keys: readonly string[] },
  limit: number
): Promise<Sum[]> {
  return db.query<Sum>(
    `with counts as materialized (select ${sums} from ${rowsBy(by)} where day >= $1::date group by key),
       most as (select * from counts ${inOrder} limit $2)
     select * from most union select * from counts where key = any($3::${keysOf(by)})`,
    [first, limit, keys]
  )
}

/** Of these from `first` on. */
export async function sumsOf(
  db: Queryable,
  by: SummedBy,
  { first, keys }: { first: string; keys: readonly string[] }
): Promise<Sum[]> {
  if (keys.length === 0) return []
  return db.query<Sum>(
    `select ${sums} from ${rowsBy(by)} where day >= $1::date and key = any($2::${keysOf(by)}) group by key`,
    [first, keys]
  )
}

/** Deletes the counts of the days before `first`. */
export async function deleteBefore(db: Queryable, first: string): Promise<void> {
  await db.query(
    `with days as (delete from analytics_days where day < $1::date),
       by_post as (delete from analytics_posts where day < $1::date)
     delete from analytics_facets where day < $1::date`,
    [first]
  )
}
