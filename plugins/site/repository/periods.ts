import type { Param, Queryable } from '#core'

/** What a list is of. `slug` is empty where there is one of its kind. */
export interface ListOf {
  kind: 'archive' | 'categories' | 'tags' | 'podcast'
  slug: string
}

/** The posts of a list in a period: a month of the archive as 202611, else a year. `hash` changes with what readers see of them. */
export interface PeriodRow extends ListOf {
  period: number
  posts: number
  hash: string
}

/** Their posts are read once, and each is put into its month by the moments when the months begin. */
const monthsOfPosts = `
  with months as materialized (
    select array_agg(month at time zone $1 order by month) as begin,
      array_agg(extract(year from month)::int order by month) as year,
      array_agg(extract(month from month)::int order by month) as of_year
    from (select generate_series(date_trunc('month', min(published_at) at time zone $1), max(published_at) at time zone $1,
      interval '1 month') as month from public_posts) as every
  ), shown as materialized (
    select category, tag_slugs, media, (post_no::bigint << 32) | revision as version,
      width_bucket(published_at, (select begin from months)) as month
    from public_posts
  )`
const hash = 'bit_xor(hashint8extended(version, 0))::text as hash'
const year = '(select year from months)[month]'

/** All lists in all periods that have public posts, by the calendar of a time zone. */
export function listPeriods(db: Queryable, timeZone: string): Promise<PeriodRow[]> {
  return db.query<PeriodRow>(
    `${monthsOfPosts}
     select 'archive' as kind, '' as slug, ${year} * 100 + (select of_year from months)[month] as period,
       count(*) as posts, ${hash}
     from shown group by month
     union all
     select 'categories', category, ${year}, count(*), ${hash} from shown where category is not null group by 2, 3
     union all
     select 'tags', tag, ${year}, count(*), ${hash} from shown cross join unnest(tag_slugs) as one (tag) group by 2, 3
     union all
     select 'podcast', '', ${year}, count(*), ${hash} from shown where media && array['podcast'] and media <> '{}' group by 3
     order by 1, 2, 3 desc`,
    [timeZone]
  )
}

/** The numbers of the public posts of a list, newest first. */
export async function listNumbers(
  db: Queryable,
  { kind, slug }: ListOf,
  { period, timeZone, limit }: { period?: number; timeZone: string; limit?: number }
): Promise<number[]> {
  const params: Param[] = []
  const where: string[] = []
  if (kind === 'categories') where.push(`category = $${params.push(slug)}`)
  if (kind === 'tags') where.push(`tag_slugs @> array[$${params.push(slug)}::text]`)
  if (kind === 'podcast') where.push(`media && array['podcast'] and media <> '{}'`)
  if (period !== undefined) {
    const [first, length] = period > 9999 ? [period, '1 month'] : [period * 100 + 1, '1 year']
    const [y, m] = [params.push(Math.floor(first / 100)), params.push(first % 100)]
    const begin = `make_date($${y}, $${m}, 1)::timestamp`
    const zone = params.push(timeZone)
    where.push(`published_at >= (${begin} at time zone $${zone})`)
    where.push(`published_at < ((${begin} + interval '${length}') at time zone $${zone})`)
  }
  const rows = await db.query<{ post_no: number }>(
    `select post_no from public_posts ${where.length === 0 ? '' : `where ${where.join(' and ')}`}
     order by published_at desc, post_id desc limit $${params.push(limit ?? null)}`,
    params
  )
  return rows.map(({ post_no }) => post_no)
}
