import type { Queryable } from '#core'
import type { PostLabels } from '../contract/post-ref.ts'

interface CategoryName {
  slug: string
  name: string
  description: string
}

/** The categories with these slugs. */
export function listCategoriesBySlug(db: Queryable, slugs: readonly string[]): Promise<CategoryName[]> {
  return db.query<CategoryName>('select slug, name, description from categories where slug = any($1::text[])', [slugs])
}

/** How many public posts each of these categories has; one without is left out. */
export function countByCategory(db: Queryable, slugs: readonly string[]): Promise<{ slug: string; count: number }[]> {
  return db.query(
    'select category as slug, count(*) as count from public_posts where category = any($1::text[]) group by category',
    [slugs]
  )
}

/** How many public posts each of these tags has; one without is left out. */
export function countByTag(db: Queryable, slugs: readonly string[]): Promise<{ slug: string; count: number }[]> {
  return db.query(
    `select u.slug, count(*) as count from public_posts p, unnest(p.tag_slugs) as u (slug)
     where p.tag_slugs && $1::text[] and u.slug = any($1::text[]) group by u.slug`,
    [slugs]
  )
}

/** Slugs of the category and the tags of posts, public or not. */
export function listLabels(db: Queryable, post_ids: readonly string[]): Promise<(PostLabels & { post_id: string })[]> {
  return db.query('select post_id, category, tag_slugs as tags from posts where post_id = any($1::uuid[])', [post_ids])
}

/** Slugs of the tags of these public posts, in the order of their names. */
export function listTagSlugs(
  db: Queryable,
  post_ids: readonly string[]
): Promise<{ post_id: string; tags: string[]; tag_slugs: string[] }[]> {
  return db.query('select post_id, tags, tag_slugs from public_posts where post_id = any($1::uuid[])', [post_ids])
}
