import type { Queryable } from '#core'
import type { PostLink } from '#plugins/posts'

/** A post's revision changes with its title. */
export interface PostVersion {
  post_no: number
  revision: number
}

/** A post that the page of another links to. */
interface NeighbourPost extends PostLink, PostVersion {}

/** The public posts right before and after each of these, and those related to it, best first. */
interface NeighbourRow {
  post_id: string
  post_no: number
  previous: NeighbourPost | null
  next: NeighbourPost | null
  related: PostVersion[]
}

/** The numbers of public posts right before and after each of these, and of those that have one of them as related. */
export async function listDependents(db: Queryable, post_nos: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ post_no: number }>(
    `with asked as (select post_no, published_at, post_id from public_posts where post_no = any($1::int[]))
     select previous.post_no from asked cross join lateral (
       select post_no from public_posts p
       where (p.published_at, p.post_id) < (asked.published_at, asked.post_id) order by published_at desc, post_id desc limit 1
     ) as previous
     union select next.post_no from asked cross join lateral (
       select post_no from public_posts p
       where (p.published_at, p.post_id) > (asked.published_at, asked.post_id) order by published_at, post_id limit 1
     ) as next
     union select post_no from site_related where related && $1::int[]`,
    [post_nos]
  )
  return rows.map(({ post_no }) => post_no)
}

const before = '(published_at, post_id) < (p.published_at, p.post_id) order by published_at desc, post_id desc limit 1'
const after = '(published_at, post_id) > (p.published_at, p.post_id) order by published_at, post_id limit 1'
const related = `
  select jsonb_agg(jsonb_build_object('post_no', q.post_no, 'revision', q.revision) order by place) as posts
  from site_related r cross join unnest(r.related) with ordinality as one (related_no, place)
  join public_posts q on q.post_no = related_no
  where r.post_no = p.post_no`

/** In plain columns: an object of each took twice as long as all else of the statement. */
export async function listNeighbours(db: Queryable, post_ids: readonly string[]): Promise<NeighbourRow[]> {
  const rows = await db.query<LinksRow>(
    `select p.post_id, p.post_no, previous.post_no as previous_no, previous.revision as previous_revision,
       previous.slug as previous_slug, previous.title as previous_title, next.post_no as next_no,
       next.revision as next_revision, next.slug as next_slug, next.title as next_title, coalesce(related.posts, '[]') as related
     from public_posts p
     left join lateral (select post_no, revision, slug, title from public_posts where ${before}) as previous on true
     left join lateral (select post_no, revision, slug, title from public_posts where ${after}) as next on true
     left join lateral (${related}) as related on true
     where p.post_id = any($1::uuid[])`,
    [post_ids]
  )
  return rows.map(({ post_id, post_no, related, ...links }) => ({
    post_id,
    post_no,
    previous: linkOf(links.previous_slug, links.previous_title, versionOf(links.previous_no, links.previous_revision)),
    next: linkOf(links.next_slug, links.next_title, versionOf(links.next_no, links.next_revision)),
    related
  }))
}

interface LinksRow extends Pick<NeighbourRow, 'post_id' | 'post_no' | 'related'>, VersionColumns {
  previous_slug: string | null
  previous_title: string | null
  next_slug: string | null
  next_title: string | null
}

const linkOf = (slug: string | null, title: string | null, version: PostVersion | null): NeighbourPost | null =>
  slug === null || title === null || version === null ? null : { slug, title, ...version }

/** The same by number, without what the links say, and the slug of the post's category. */
type NeighbourVersions = Pick<NeighbourRow, 'post_no' | 'related'> &
  Readonly<Record<'previous' | 'next', PostVersion | null>> & { category: string | null }

export async function listNeighbourVersions(db: Queryable, post_nos: readonly number[]): Promise<NeighbourVersions[]> {
  const rows = await db.query<VersionsRow>(
    `select p.post_no, p.category, previous.post_no as previous_no, previous.revision as previous_revision,
       next.post_no as next_no, next.revision as next_revision, coalesce(related.posts, '[]') as related
     from public_posts p
     left join lateral (select post_no, revision from public_posts where ${before}) as previous on true
     left join lateral (select post_no, revision from public_posts where ${after}) as next on true
     left join lateral (${related}) as related on true
     where p.post_no = any($1::int[])`,
    [post_nos]
  )
  return rows.map(({ post_no, category, previous_no, previous_revision, next_no, next_revision, related }) => ({
    post_no,
    category,
    previous: versionOf(previous_no, previous_revision),
    next: versionOf(next_no, next_revision),
    related
  }))
}

interface VersionsRow extends Pick<NeighbourVersions, 'post_no' | 'category' | 'related'>, VersionColumns {}

interface VersionColumns {
  previous_no: number | null
  previous_revision: number | null
  next_no: number | null
  next_revision: number | null
}

const versionOf = (post_no: number | null, revision: number | null): PostVersion | null =>
  post_no === null || revision === null ? null : { post_no, revision }
