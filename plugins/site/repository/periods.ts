import type { Queryable } from '#core'

/** What a list is of. `slug` is empty where there is one of its kind. */
export interface ListOf {
  kind: 'archive' | 'categories' | 'tags' | 'podcast'
  slug: string
}

/** The posts of a list, or of it in a period where that is not null: at most `limit`, the newest. */
export interface Excerpt {
  slug: string
  period: number | null
  limit: number
}

/** Where the posts of a list are looked for. Those of a tag that few posts have are read once for all of its periods. */
export type ExcerptSource = ListOf['kind'] | 'rare tags'

const postsOf: Record<ListOf['kind'], string> = {
  archive: 'public_posts where true',
  categories: 'public_posts where category = asked.slug',
  tags: 'public_posts where tag_slugs @> array[asked.slug]',
  podcast: `public_posts where media && array['podcast'] and media <> '{}'`
}

/** The numbers of the public posts of each of these excerpts, newest first, in a time zone's calendar. */
export async function listNumbers(
  db: Queryable,
  source: ExcerptSource,
  { excerpts, timeZone }: { excerpts: readonly Excerpt[]; timeZone: string }
): Promise<number[][]> {
  const periods = excerpts.map(({ period }) => (period === null ? ['-infinity', 'infinity'] : daysOf(period)))
  const rows = await db.query<{ post_nos: number[] }>(
    `with asked as (
       select slug, max, at, first at time zone $5 as begin, until at time zone $5 as until
       from unnest($1::text[], $2::timestamp[], $3::timestamp[], $4::int[]) with ordinality as one (slug, first, until, max, at)
     )
     ${source === 'rare tags' ? numbersOfRareTags : numbersOf(postsOf[source])}`,
    [
      excerpts.map(({ slug }) => slug),
      periods.map(([first = '']) => first),
      periods.map(([, until = '']) => until),
      excerpts.map(({ limit }) => limit),
      timeZone
    ]
  )
  return rows.map(({ post_nos }) => post_nos)
}

const numbersOf = (posts: string): string => `
     select coalesce((select array_agg(post_no order by published_at desc, post_id desc) from (
         select post_no, published_at, post_id from ${posts}
         and published_at >= asked.begin and published_at < asked.until
         order by published_at desc, post_id desc limit asked.max
       ) as shown), '{}') as post_nos
     from asked order by at`

const numbersOfRareTags = `
     , tagged as materialized (
       select tag.slug, post_no, published_at, post_id
       from (select distinct slug from asked) as tag cross join lateral (
         select post_no, published_at, post_id from public_posts where tag_slugs @> array[tag.slug] offset 0
       ) as post
     ), numbered as (
       select at, max, post_no, row_number() over (partition by at order by published_at desc, post_id desc) as place
       from asked join tagged on tagged.slug = asked.slug and published_at >= asked.begin and published_at < asked.until
     ), shown as (
       select at, array_agg(post_no order by place) as post_nos from numbered where place <= max group by at
     )
     select coalesce(post_nos, '{}') as post_nos from asked left join shown using (at) order by at`

/** The first day of a year, or of a month as 202611, and the one behind its last. */
function daysOf(period: number): [first: string, until: string] {
  if (period <= 9999) return [dayOf(period, 1), dayOf(period + 1, 1)]
  const year = Math.floor(period / 100)
  const month = period % 100
  return [dayOf(year, month), month === 12 ? dayOf(year + 1, 1) : dayOf(year, month + 1)]
}

const dayOf = (year: number, month: number): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`
