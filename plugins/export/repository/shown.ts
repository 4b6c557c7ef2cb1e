import type { Queryable, Tx } from '#core'
import type { ListPeriod, PublicList } from '../index.ts'
import { partSize } from './export.ts'

/** The next numbers of posts that are public, or that the export shows, in their order. */
export async function listNumbersFrom(db: Queryable, from: number, limit: number): Promise<number[]> {
  const rows = await db.query<{ post_no: number }>(
    `(select post_no from public_posts where post_no >= $1 order by post_no limit $2)
     union (select post_no from export_posts where post_no >= $1 order by post_no limit $2)
     order by post_no limit $2`,
    [from, limit]
  )
  return rows.map(({ post_no }) => post_no)
}

/** The posts whose files showed one of these. */
export async function listDependentsBefore(db: Queryable, post_nos: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ post_no: number }>(
    'select post_no from export_posts where dependency_nos && $1::int[]',
    [post_nos]
  )
  return rows.map(({ post_no }) => post_no)
}

/** The tags of these posts, now and as the export shows them. */
export async function listTagsOf(db: Queryable, post_nos: readonly number[]): Promise<string[]> {
  const rows = await db.query<{ slug: string }>(
    `select unnest(tag_slugs) as slug from public_posts where post_no = any($1::int[])
     union select unnest(tag_slugs) from export_posts where post_no = any($1::int[])`,
    [post_nos]
  )
  return rows.map(({ slug }) => slug)
}

/** What a post's files show of other posts, and the numbers of those. */
interface ShownPost {
  post_no: number
  dependencies: string | null
  dependency_nos: readonly number[]
}

const episode = "media && array['podcast']"
const shown = `concat_ws(' ', post_no, revision, extract(epoch from published_at), dependencies)`
const version = 'hashint8extended((post_no::bigint << 32) | revision, 0)'
const listsOfPost = `
  select 'parts' as kind, '' as slug, post_no / ${partSize} as period, hashtextextended(${shown}, 0) as hash
  union all select 'archive', '', year * 100 + month, version
  union all select 'categories', category, year, version where category is not null
  union all select 'tags', tag, year, version from unnest(tag_slugs) as tag
  union all select 'podcast', '', year, version where is_episode`
const columns = 'post_no, published_at, revision, category, tag_slugs, is_episode, dependencies'
const placed = `select ${columns}, posts, extract(year from local)::int as year, extract(month from local)::int as month,
  ${version} as version from dated`

/** Stores what is shown of these posts now, and counts them in the lists that they are in now, no longer in those before. */
export async function recordShown(tx: Tx, posts: readonly ShownPost[], timeZone: string): Promise<void> {
  await tx.query(
    `with asked as materialized (
       select * from jsonb_to_recordset($1::jsonb) as one (post_no int, dependencies text, dependency_nos int[])
     ), present as materialized (
       select post_no, published_at, revision, category, tag_slugs, ${episode} as is_episode, dependencies, dependency_nos
       from public_posts join asked using (post_no)
     ), earlier as materialized (
       select e.post_no, e.published_at, e.revision, e.category, e.tag_slugs, e.is_episode, e.dependencies, e.dependency_nos
       from export_posts e join asked using (post_no)
     ), arrived as materialized (
       select * from present except select * from earlier
     ), departed as materialized (
       select * from earlier except select * from present
     ), gone as (
       delete from export_posts where post_no in (select post_no from departed except select post_no from arrived)
     ), stored as (
       insert into export_posts (post_no, published_at, revision, category, tag_slugs, is_episode, dependencies, dependency_nos)
       select * from arrived
       on conflict (post_no) do update set published_at = excluded.published_at, revision = excluded.revision,
         category = excluded.category, tag_slugs = excluded.tag_slugs, is_episode = excluded.is_episode,
         dependencies = excluded.dependencies, dependency_nos = excluded.dependency_nos
     ), dated as materialized (
       select ${columns}, published_at at time zone $2 as local, 1 as posts from arrived
       union all select ${columns}, published_at at time zone $2, -1 from departed
     ), placed as materialized (
       ${placed}
     ), moved as (
       select kind, slug, period, posts, hash from placed cross join lateral (${listsOfPost}) as place
     )
     insert into export_lists as l (kind, slug, period, posts, hash)
     select kind, slug, period, sum(posts), bit_xor(hash) from moved group by kind, slug, period
     having sum(posts) <> 0 or bit_xor(hash) <> 0
     on conflict (kind, slug, period) do update set posts = l.posts + excluded.posts, hash = l.hash # excluded.hash`,
    [JSON.stringify(posts), timeZone]
  )
  await tx.query('delete from export_lists where posts = 0')
}

/** Counts the lists anew from what is stored of the posts. */
export async function recountLists(tx: Tx, timeZone: string): Promise<void> {
  await tx.query(
    `with dated as (
       select ${columns}, published_at at time zone $1 as local, 1 as posts from export_posts
     ), placed as (
       ${placed}
     ), counted as materialized (
       select kind, slug, period, sum(posts)::int as posts, bit_xor(hash) as hash
       from placed cross join lateral (${listsOfPost}) as place group by kind, slug, period
     ), gone as (
       delete from export_lists where (kind, slug, period) not in (select kind, slug, period from counted)
     )
     insert into export_lists as l (kind, slug, period, posts, hash) select kind, slug, period, posts, hash from counted
     on conflict (kind, slug, period) do update set posts = excluded.posts, hash = excluded.hash
     where (l.posts, l.hash) is distinct from (excluded.posts, excluded.hash)`,
    [timeZone]
  )
}

export async function recordTagNames(tx: Tx, tags: readonly { slug: string; name: string }[]): Promise<void> {
  await tx.query(
    `update export_lists l set name = t.name from unnest($1::text[], $2::text[]) as t (slug, name)
     where l.kind = 'tags' and l.slug = t.slug and l.name is distinct from t.name`,
    [tags.map(({ slug }) => slug), tags.map(({ name }) => name)]
  )
}

/** The parts that have public posts. Their fingerprints change with whatever their files show. */
export function listShownParts(db: Queryable): Promise<{ part: number; fingerprint: string }[]> {
  return db.query<{ part: number; fingerprint: string }>(
    "select period as part, posts || ' ' || hash as fingerprint from export_lists where kind = 'parts' order by period"
  )
}

/** What the files of the posts of a part show of others, by number; those that show none are left out. */
export async function readDependencies(db: Queryable, part: number): Promise<Map<number, string>> {
  const rows = await db.query<{ post_no: number; dependencies: string }>(
    'select post_no, dependencies from export_posts where post_no >= $1 and post_no < $2 and dependencies is not null',
    [part * partSize, (part + 1) * partSize]
  )
  return new Map(rows.map(({ post_no, dependencies }) => [post_no, dependencies]))
}

/** A list. `name`: of a tag. */
export interface CountedList extends PublicList {
  name: string | null
}

/** The lists that have public posts, by kind and slug. */
export function listLists(db: Queryable): Promise<CountedList[]> {
  // The period and the count are the seed: a post that moves to another year changes the hash of its list.
  return db.query<CountedList>(
    `select kind, slug, sum(posts)::int as posts, max(name) as name,
       bit_xor(hashint8extended(hash, (period::bigint << 32) | posts))::text as hash
     from export_lists where kind <> 'parts' group by kind, slug order by kind, slug`
  )
}

/** The periods of these lists, the latest first. */
export function listPeriods(db: Queryable, lists: readonly Pick<PublicList, 'kind' | 'slug'>[]): Promise<ListPeriod[]> {
  return db.query<ListPeriod>(
    `select kind, slug, period, posts, hash::text as hash
     from export_lists join unnest($1::text[], $2::text[]) as asked (kind, slug) using (kind, slug)
     order by kind, slug, period desc`,
    [lists.map(({ kind }) => kind), lists.map(({ slug }) => slug)]
  )
}
