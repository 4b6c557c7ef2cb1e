import type { Queryable } from '#core'
import { fromBase64, toBase64 } from './base64.ts'

/** What posts are chosen by beside their words: slugs, and a language as the first part of its BCP 47 tag. */
export interface LabelFilter {
  category?: string | undefined
  tag?: string | undefined
  language?: string | undefined
}

/** The numbers of the public posts that pass a filter, 4 bytes each. `siteLanguage` is that of posts without one. */
export async function readFiltered(
  db: Queryable,
  { category, tag, language }: LabelFilter,
  siteLanguage: string
): Promise<Buffer> {
  const [row] = await db.query<{ posts: string | null }>(
    `select ${toBase64(`string_agg(int4send(post_no), ''::bytea)`)} as posts from public_posts
     where ($1::text is null or category = $1) and ($2::text is null or tag_slugs @> array[$2])
       and ($3::text is null or lower(split_part(coalesce(language, $4), '-', 1)) = $3)`,
    [category ?? null, tag ?? null, language ?? null, siteLanguage]
  )
  return fromBase64(row?.posts ?? '')
}

export interface FacetRow {
  facet: 'category' | 'tag' | 'language' | 'year'
  value: string
  count: number
}

/** How many of these posts have each label, the most frequent first: at most `limit` of a kind. */
export function countFacets(
  db: Queryable,
  post_nos: readonly number[],
  { siteLanguage, limit }: { siteLanguage: string; limit: number }
): Promise<FacetRow[]> {
  return db.query<FacetRow>(
    `with found as materialized (
       select category, tag_slugs, coalesce(language, $2) as language, published_at from public_posts
       where post_no = any($1::int[])
     ), labels as (
       select 'category' as facet, category as value from found where category is not null
       union all select 'tag', unnest(tag_slugs) from found
       union all select 'language', lower(split_part(language, '-', 1)) from found
       union all select 'year', to_char(published_at at time zone 'UTC', 'YYYY') from found
     ), counted as (
       select facet, value, count(*)::int as count, row_number() over (partition by facet order by count(*) desc, value) as rank
       from labels group by facet, value
     )
     select facet, value, count from counted where rank <= $3 order by facet, rank`,
    [post_nos, siteLanguage, limit]
  )
}
