import type { Queryable, Tx } from '#core'
import { fetchLimit, type PageRequest } from '#lists'
import type { Label } from '../labels.ts'

export interface CategoryRow {
  slug: string
  name: string
  description: string
  post_count: number
}

export interface TagRow {
  slug: string
  name: string
  post_count: number
}

type Counted<Row> = Row & { total: number }

/** Categories that have public posts, by slug. One without may be used by drafts only. */
export function listCategories(db: Queryable, page: PageRequest): Promise<Counted<CategoryRow>[]> {
  return db.query<Counted<CategoryRow>>(
    `with counted as (select category, count(*) as post_count from public_posts where category is not null group by category)
     select c.slug, c.name, c.description, n.post_count, count(*) over () as total
     from counted n join categories c on c.slug = n.category
     where $3::text is null or c.slug > $3
     order by c.slug limit $1 offset $2`,
    [fetchLimit(page), page.offset, page.after?.[0] ?? null]
  )
}

export async function countCategories(db: Queryable): Promise<number> {
  const [row] = await db.query<{ total: number }>('select count(distinct category) as total from public_posts')
  return row?.total ?? 0
}

/** A category that has a public post: one that only drafts use is not there for readers, as in the list. */
export async function findCategory(db: Queryable, slug: string): Promise<Omit<CategoryRow, 'post_count'> | undefined> {
  const [row] = await db.query<Omit<CategoryRow, 'post_count'>>(
    `select slug, name, description from categories
     where slug = $1 and exists (select from public_posts where category = $1)`,
    [slug]
  )
  return row
}

/** Those of posts that are public, so that no other post is looked for. */
export function listCategoriesOf(db: Queryable, slugs: readonly string[]): Promise<Omit<CategoryRow, 'post_count'>[]> {
  return db.query<Omit<CategoryRow, 'post_count'>>(
    'select slug, name, description from categories where slug = any($1::text[])',
    [slugs]
  )
}

/** What the newest public post with a tag calls it; undefined when none has it. */
export async function findTag(db: Queryable, slug: string): Promise<string | undefined> {
  const [row] = await db.query<{ name: string }>(
    `select u.name from public_posts p, unnest(p.tag_slugs, p.tags) as u (slug, name)
     where p.tag_slugs @> array[$1::text] and u.slug = $1 order by p.published_at desc, p.post_id desc limit 1`,
    [slug]
  )
  return row?.name
}

/** Makes the category when there is none with its slug. */
export async function ensureCategory(db: Queryable, { slug, name }: Label): Promise<void> {
  await db.query('insert into categories (slug, name) values ($1, $2) on conflict (slug) do nothing', [slug, name])
}

/** Names and describes a category, which is made where there is none with its slug. */
export async function describeCategory(
  tx: Tx,
  { slug, name, description }: { slug: string; name: string; description: string | undefined }
): Promise<void> {
  await tx.query(
    `insert into categories (slug, name, description) values ($1, $2, coalesce($3, ''))
     on conflict (slug) do update set name = excluded.name, description = coalesce($3, categories.description)`,
    [slug, name, description ?? null]
  )
}

/** One category, whether it has a public post or not. */
export async function findAnyCategory(db: Queryable, slug: string): Promise<CategoryRow | undefined> {
  const [row] = await db.query<CategoryRow>(
    `select slug, name, description, (select count(*) from public_posts where category = $1) as post_count
     from categories where slug = $1`,
    [slug]
  )
  return row
}

/** Every category, those without a public post too, by slug. */
export function listAllCategories(db: Queryable): Promise<CategoryRow[]> {
  return db.query<CategoryRow>(
    `select c.slug, c.name, c.description, count(p.post_id) as post_count
     from categories c left join public_posts p on p.category = c.slug group by c.slug order by c.slug limit 1000`
  )
}

/**
 * Tags of public posts, by slug, each under the name its newest post gives it. Nearly all have one name: only for the others
 * their posts are put in order.
 */
export function listTags(db: Queryable, page: PageRequest): Promise<Counted<TagRow>[]> {
  return db.query<Counted<TagRow>>(
    `with used as (
       select slug, min(name) as name, max(name) as other, count(*) as post_count
       from (select unnest(tag_slugs) as slug, unnest(tags) collate "C" as name from public_posts) as each group by slug
     )
     select slug, post_count, count(*) over () as total,
       case when name = other then name else (
         select u.name from public_posts p, unnest(p.tag_slugs, p.tags) as u (slug, name)
         where p.tag_slugs @> array[used.slug] and u.slug = used.slug order by p.published_at desc, p.post_id desc limit 1
       ) end as name
     from used
     where $3::text is null or slug > $3
     order by slug limit $1 offset $2`,
    [fetchLimit(page), page.offset, page.after?.[0] ?? null]
  )
}

export async function countTags(db: Queryable): Promise<number> {
  const [row] = await db.query<{ total: number }>(
    'select count(distinct u.tag_slug) as total from public_posts p, unnest(p.tag_slugs) as u (tag_slug)'
  )
  return row?.total ?? 0
}
