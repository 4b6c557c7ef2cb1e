import type { Queryable, Tx } from '#core'

/** A part is so many consecutive post numbers. */
export const partSize = 1000

interface PartRow {
  part: number
  posts: number
}

/** The parts that have public posts. */
export function listParts(db: Queryable): Promise<PartRow[]> {
  return db.query<PartRow>('select post_no / $1 as part, count(*) as posts from public_posts group by 1 order by 1', [
    partSize
  ])
}

export interface PublicRow {
  post_id: string
  post_no: number
  slug: string
  revision: number
  /** Of its text and its HTML. */
  bytes: number
}

/** The public posts of a part, newest first. */
export function listPostsOfPart(db: Queryable, part: number): Promise<PublicRow[]> {
  return db.query<PublicRow>(
    `select post_id, post_no, slug, revision, octet_length(content) + octet_length(content_html) as bytes
     from public_posts where post_no >= $1 and post_no < $2
     order by published_at desc, post_id desc`,
    [part * partSize, (part + 1) * partSize]
  )
}

/** Those of these posts that are public under these slugs. */
export async function listStillPublic(db: Queryable, posts: readonly { post_id: string; slug: string }[]) {
  const rows = await db.query<{ post_id: string; slug: string }>(
    'select post_id, slug from public_posts where post_id = any($1::uuid[])',
    [posts.map(({ post_id }) => post_id)]
  )
  return new Map(rows.map(({ post_id, slug }) => [post_id, slug]))
}

/** Those of these slugs that a public post has. */
export async function listPublicSlugs(db: Queryable, slugs: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ slug: string }>('select slug from public_posts where slug = any($1::text[])', [slugs])
  return new Set(rows.map(({ slug }) => slug))
}

/** What a verification found. */
interface StoredVerification {
  /** Name of the target. */
  target: string
  files: number
  findings: number
  /** How many of them writing what waits does not mend. */
  persistent: number
  /** Changes waited to be written: the next run mends the others. */
  has_waiting: boolean
}

/** How the last runs ended. Times are ISO 8601. */
interface ExportStateRow {
  holder: string | null
  expires_at: string | null
  target: string | null
  report: object | null
  /** Name of the target that it is of; null: not noted, or none. */
  written_to: string | null
  finished_at: string | null
  failure: string | null
  failed_at: string | null
  /** The last one. What waited then is taken off once it is written. */
  verified: StoredVerification | null
  verified_at: string | null
}

export async function readExportState(db: Queryable): Promise<ExportStateRow | undefined> {
  const [row] = await db.query<ExportStateRow>(
    `select case when expires_at > now() then holder end as holder, expires_at, target, report - 'target' as report,
       report ->> 'target' as written_to, finished_at, failure, failed_at, verified, verified_at
     from export_state`
  )
  return row
}

/** Whether an export was ever begun. A restore alone leaves a row, too. */
export async function hasExported(db: Queryable): Promise<boolean> {
  const { finished_at = null, failed_at = null, holder = null } = (await readExportState(db)) ?? {}
  return [finished_at, failed_at, holder].some(each => each !== null)
}

/** The last report, and when, of this target; null for both where another was written last. */
export function lastRunOf(
  state: ExportStateRow | undefined,
  target: string
): Pick<ExportStateRow, 'report' | 'finished_at'> {
  const { report = null, finished_at = null, written_to = null } = state ?? {}
  return written_to === null || written_to === target ? { report, finished_at } : { report: null, finished_at: null }
}

/** Takes the lease, unless somebody else holds it. @returns whether it is the holder's now */
export async function takeExportLease(
  db: Queryable,
  holder: string,
  seconds: number,
  target: string
): Promise<boolean> {
  const rows = await db.query(
    `insert into export_state (holder, expires_at, target) values ($1, now() + make_interval(secs => $2), $3)
     on conflict (id) do update set holder = $1, expires_at = now() + make_interval(secs => $2), target = $3
     where export_state.holder is null or export_state.expires_at < now() or export_state.holder = $1
     returning 1 as taken`,
    [holder, seconds, target]
  )
  return rows.length > 0
}

/** Extends a lease that is still the holder's. @returns whether it is */
export async function renewExportLease(db: Queryable, holder: string, seconds: number): Promise<boolean> {
  const rows = await db.query(
    `update export_state set expires_at = now() + make_interval(secs => $2) where holder = $1 and expires_at > now()
     returning 1 as renewed`,
    [holder, seconds]
  )
  return rows.length > 0
}

export async function endExportLease(db: Queryable, holder: string): Promise<void> {
  await db.query('update export_state set holder = null, expires_at = null where holder = $1', [holder])
}

/** `target`: its name. */
export async function saveReport(db: Queryable, report: object, target: string): Promise<void> {
  await db.query(
    `update export_state set report = $1::jsonb, finished_at = now(), failure = null, failed_at = null,
       verified = case when verified @> '{"has_waiting": true}'
         then verified || jsonb_build_object('findings', verified -> 'persistent', 'has_waiting', false) else verified end`,
    [JSON.stringify({ ...report, target })]
  )
}

/** @returns when, and whether the run before had succeeded */
export async function saveFailure(tx: Tx, failure: string): Promise<[at: string, isFirst: boolean]> {
  const [before] = await tx.query<{ failure: string | null }>('select failure from export_state for update')
  const [saved] = await tx.query<{ failed_at: string }>(
    `insert into export_state (failure, failed_at) values ($1, now())
     on conflict (id) do update set failure = $1, failed_at = now()
     returning failed_at`,
    [failure]
  )
  return [saved?.failed_at ?? '', (before?.failure ?? null) === null]
}

export async function saveVerified(
  db: Queryable,
  { target, files, findings, persistent, has_waiting }: StoredVerification
): Promise<void> {
  await db.query(
    `insert into export_state (verified, verified_at) values ($1::jsonb, now())
     on conflict (id) do update set verified = $1::jsonb, verified_at = now()`,
    [JSON.stringify({ target, files, findings, persistent, has_waiting } satisfies StoredVerification)]
  )
}

/** What was found in this target, and when; null for both where another was verified last. */
export async function readVerified(
  db: Queryable,
  target: string
): Promise<{ verified: StoredVerification | null; verified_at: string | null }> {
  const { verified = null, verified_at = null } = (await readExportState(db)) ?? {}
  return verified?.target === target ? { verified, verified_at } : { verified: null, verified_at: null }
}
