import type { Queryable } from '#core'
import { bearerPostColumns, postColumns, summaryColumns } from './columns.ts'
import { resolvePostId } from './ids.ts'
import type { PostRow, SummaryRow } from './rows.ts'

/** Made once: the driver knows a statement again by its text. */
const publicBySlug = `select ${postColumns} from public_posts where slug = any($1::text[])`
const bearerBySlug = `select ${bearerPostColumns} from public_posts where slug = any($1::text[])`

/** The public posts with these slugs; `bearer` for what clients with a token see. */
export function listBySlug(db: Queryable, slugs: readonly string[], view: 'anonymous' | 'bearer'): Promise<PostRow[]> {
  return db.query<PostRow>(view === 'bearer' ? bearerBySlug : publicBySlug, [slugs])
}

type NumberedRow = SummaryRow & { post_no: number; content: string }

/** The public posts with these numbers, with the first `textLength` characters of their text. */
export function listByNumber(db: Queryable, post_nos: readonly number[], textLength: number): Promise<NumberedRow[]> {
  // To count the characters of a text takes longer than to read it, and few have as many.
  return db.query<NumberedRow>(
    `select ${summaryColumns}, post_no,
       case when octet_length(content) <= $2 then content else left(content, $2) end as content
     from public_posts where post_no = any($1::int[])`,
    [post_nos, textLength]
  )
}

/** Any post by its present slug, as clients with a token see it. */
export async function findBySlug(db: Queryable, slug: string): Promise<PostRow | undefined> {
  const [row] = await db.query<PostRow>(`select ${bearerPostColumns} from posts where slug = $1`, [slug])
  return row
}

/** Any post, as clients with a token see it. */
export async function findById(db: Queryable, post_id: string): Promise<PostRow | undefined> {
  const [row] = await db.query<PostRow>(`select ${bearerPostColumns} from posts where post_id = $1`, [post_id])
  return row
}

const idOrPrefix = /^[0-9a-f]{8}(-[0-9a-f]{0,4}){0,3}(-[0-9a-f]{0,12})?$/

/** The same by its id or a prefix of it; undefined for a text that is neither. @throws as `resolveId` */
export async function findByIdOrPrefix(db: Queryable, text: string): Promise<PostRow | undefined> {
  if (!idOrPrefix.test(text)) return undefined
  return findById(db, await resolvePostId(db, text))
}

/** A post as the bearer of a preview link sees it; an archived one is gone. */
export async function findForPreview(db: Queryable, post_id: string): Promise<PostRow | undefined> {
  const [row] = await db.query<PostRow>(
    `select ${postColumns} from posts where post_id = $1 and status <> 'archived'`,
    [post_id]
  )
  return row
}

/** The text of a post in any status, and its excerpt; undefined when there is none. */
export async function readTextAndExcerpt(
  db: Queryable,
  post_id: string
): Promise<{ content: string; excerpt: string } | undefined> {
  const [row] = await db.query<{ content: string; excerpt: string }>(
    'select content, excerpt from posts where post_id = $1',
    [post_id]
  )
  return row
}

/** The public posts among these, with their text. */
export function listTexts(db: Queryable, post_ids: readonly string[]): Promise<PostRow[]> {
  return db.query<PostRow>(`select ${postColumns} from public_posts where post_id = any($1::uuid[])`, [post_ids])
}

export interface BoundedTextRow {
  post_id: string
  /** Null in those behind `maxBytes`. */
  content: string | null
  content_html: string | null
  /** Of both. */
  bytes: number
}

/** The texts of the public posts among these, until they have so many bytes. */
export function listTextsWithin(
  db: Queryable,
  post_ids: readonly string[],
  maxBytes: number
): Promise<BoundedTextRow[]> {
  return db.query<BoundedTextRow>(
    `select post_id, bytes, case when upto <= $2 then content end as content, case when upto <= $2 then content_html end as content_html
     from (
       select post_id, content, content_html, octet_length(content) + octet_length(content_html) as bytes,
         sum(octet_length(content)::bigint + octet_length(content_html)) over (order by post_id) as upto
       from public_posts where post_id = any($1::uuid[])
     ) as texts`,
    [post_ids, maxBytes]
  )
}

/** The slug of the public post; undefined for any other. */
export async function findPublicSlug(db: Queryable, post_id: string): Promise<string | undefined> {
  const [row] = await db.query<{ slug: string }>('select slug from public_posts where post_id = $1', [post_id])
  return row?.slug
}
