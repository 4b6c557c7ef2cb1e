import type { Queryable, Tx } from '#core'
import type { PostText } from '../inverted-index/text-fields.ts'
import { searchedBody } from './texts.ts'

/** What an engine was given. */
interface EngineFeedRow {
  target: string
  index_name: string | null
  language: string | null
  /** Codes of the languages that texts were sent in. */
  languages: number[]
  horizon: string | null
  fault: string | null
  /** While a new index is filled: how many posts it has. */
  built_posts: number | null
}

/** Undefined before the first time. */
export async function readEngineFeed(db: Queryable): Promise<EngineFeedRow | undefined> {
  const [row] = await db.query<EngineFeedRow>(
    `select target, index_name, language, languages, horizon::text as horizon, fault,
       case when built_until > now() then built_posts end as built_posts
     from search_feed`
  )
  return row
}

/** Forgets what was sent: a restored backup counts revisions anew, another engine has none of it. */
export async function forgetFeed(db: Queryable): Promise<void> {
  await db.query('delete from search_sent')
  await db.query('delete from search_feed')
}

/** Begins anew where another engine is to be fed. */
export async function startFeed(tx: Tx, target: string): Promise<void> {
  const rows = await tx.query('delete from search_feed where target <> $1 returning 1 as removed', [target])
  if (rows.length > 0) await tx.query('delete from search_sent')
  await tx.query('insert into search_feed (target) values ($1) on conflict do nothing', [target])
}

/** Two things that one process does at a time. */
export type FeedRole = 'feeder' | 'builder'
const untilOf = { feeder: 'fed_until', builder: 'built_until' } as const

/** Takes a role for a minute, or for another one. @returns false while another process has it */
export async function leaseFeed(db: Queryable, role: FeedRole, worker: string): Promise<boolean> {
  const until = untilOf[role]
  const rows = await db.query(
    `update search_feed set ${role} = $1, ${until} = now() + interval '1 minute'
     where ${role} is null or ${role} = $1 or ${until} < now() returning 1 as leased`,
    [worker]
  )
  return rows.length > 0
}

export async function endFeedLease(db: Queryable, role: FeedRole, worker: string): Promise<void> {
  await db.query(`update search_feed set ${role} = null, ${untilOf[role]} = null where ${role} = $1`, [worker])
}

/** A change to be sent: of a published post with its text. */
export interface ChangeRow {
  post_no: number
  revision: number
  /** The transaction that wrote it: a number of 64 bits as text. */
  version: string
  /** In seconds since 2000; null for a post that is not published. */
  published: number | null
  text: (Omit<PostText, 'post_no'> & { category: string | null; tags: string[] }) | null
}

interface ChangeBatch {
  posts: number
  /** Characters, about: one text at least. */
  characters: number
}

const pending = `version >= (select horizon from search_feed) and not exists (
  select from search_sent sent where sent.post_no = search_posts.post_no and sent.version = search_posts.version
)`

/** The next changes that were not sent, by number. */
export const listPendingChanges = (db: Queryable, batch: ChangeBatch): Promise<ChangeRow[]> =>
  listChanges(db, pending, [], batch)

/** The next changes since a horizon, by number from one on. */
export const listChangesAfter = (
  db: Queryable,
  { horizon, after }: { horizon: string; after: number },
  batch: ChangeBatch
): Promise<ChangeRow[]> => listChanges(db, 'version >= $3::text::xid8 and post_no > $4', [horizon, after], batch)

/** The next published posts, by number from one on. */
export const listPublishedAfter = (db: Queryable, after: number, batch: ChangeBatch): Promise<ChangeRow[]> =>
  listChanges(db, 'published is not null and post_no > $3', [after], batch)

function listChanges(
  db: Queryable,
  condition: string,
  params: readonly (string | number)[],
  { posts, characters }: ChangeBatch
): Promise<ChangeRow[]> {
  return db.query<ChangeRow>(
    `with batch as materialized (
       select post_no, revision, version, published, text_version from search_posts
       where ${condition} order by post_no limit $1
     ), sized as materialized (
       select batch.*, post.post_id,
         coalesce(sum(octet_length(content)) over (order by post_no) - octet_length(content), 0) as before
       from batch left join indexed_posts post using (post_no)
     )
     select post_no, revision, version::text as version,
       case when post.post_id is not null then published end as published,
       case when published is not null and post.post_id is not null then json_build_object('title', title,
         'excerpt', excerpt, 'body', ${searchedBody}, 'language', post.language,
         'text_version', text_version, 'category', category, 'tags', tag_slugs) end as text
     from sized left join indexed_posts post using (post_no) where before < $2 order by post_no`,
    [posts, characters, ...params]
  )
}

/** A change that was sent; `fault`: why the engine refuses it. */
export interface SentRow {
  post_no: number
  version: string
  fault: string | null
}

/** Notes what was sent. @returns false when another process has taken over: nothing was noted */
export async function recordSent(
  tx: Tx,
  feeder: string,
  sent: readonly SentRow[],
  languages: readonly number[]
): Promise<boolean> {
  const rows = await tx.query(
    `update search_feed set fault = null,
       languages = array(select distinct unnest(languages || $2::int[]) order by 1)
     where feeder = $1 returning 1 as noted`,
    [feeder, languages]
  )
  if (rows.length === 0) return false
  await storeSent(tx, sent)
  return true
}

async function storeSent(tx: Tx, sent: readonly SentRow[]): Promise<void> {
  await tx.query(
    `insert into search_sent (post_no, version, fault)
     select post_no, version::xid8, nullif(fault, '') from unnest($1::int[], $2::text[], $3::text[])
       as given (post_no, version, fault) order by post_no
     on conflict (post_no) do update set version = excluded.version, fault = excluded.fault`,
    [sent.map(row => row.post_no), sent.map(row => row.version), sent.map(row => row.fault ?? '')]
  )
}

/** Every change before a horizon was sent: what was noted of those is needed no more. */
export async function moveHorizon(tx: Tx, feeder: string, horizon: string): Promise<void> {
  const rows = await tx.query(
    'update search_feed set horizon = $2::text::xid8, fault = null where feeder = $1 returning 1 as moved',
    [feeder, horizon]
  )
  if (rows.length > 0)
    await tx.query('delete from search_sent where version < $1::text::xid8 and fault is null', [horizon])
}

/** Null: the last run ended well. */
export async function recordFeedFault(db: Queryable, fault: string | null): Promise<void> {
  await db.query('update search_feed set fault = $1 where fault is distinct from $1', [fault?.slice(0, 1000) ?? null])
}

export async function recordBuiltPosts(db: Queryable, builder: string, posts: number): Promise<void> {
  await db.query('update search_feed set built_posts = $2 where builder = $1', [builder, posts])
}

/** A new index answers from now on. */
interface NewIndexRow {
  index_name: string
  language: string
  languages: readonly number[]
  /** All changes before it are in the index. */
  horizon: string
  refused: readonly SentRow[]
}

/** Call it while this process is the feeder: nobody sends changes to the index before. */
export async function recordNewIndex(tx: Tx, index: NewIndexRow): Promise<void> {
  await tx.query('delete from search_sent')
  await storeSent(tx, index.refused)
  await tx.query(
    `update search_feed set index_name = $1, language = $2, languages = $3::int[], horizon = $4::text::xid8, fault = null`,
    [index.index_name, index.language, index.languages, index.horizon]
  )
}

/** How many changes were not sent. */
export async function countPending(db: Queryable): Promise<number> {
  const [row] = await db.query<{ posts: number }>(`select count(*)::int as posts from search_posts where ${pending}`)
  return row?.posts ?? 0
}

export async function hasPending(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ waits: boolean }>(`select exists (select from search_posts where ${pending}) as waits`)
  return row?.waits ?? false
}

export async function countPublished(db: Queryable): Promise<number> {
  const [row] = await db.query<{ posts: number }>(
    'select count(*)::int as posts from search_posts where published is not null'
  )
  return row?.posts ?? 0
}

/** Posts that the engine refuses, and why. */
export function listRefused(db: Queryable, limit: number): Promise<{ post_no: number; fault: string }[]> {
  return db.query('select post_no, fault from search_sent where fault is not null order by post_no limit $1', [limit])
}

export async function countRefused(db: Queryable): Promise<number> {
  const [row] = await db.query<{ posts: number }>(
    'select count(*)::int as posts from search_sent where fault is not null'
  )
  return row?.posts ?? 0
}
