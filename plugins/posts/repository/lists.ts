import type { Param, Queryable } from '#core'
import { fetchLimit, type PageRequest } from '#lists'
import type { PostStatus } from '../states.ts'
import { bearerColumns, summaryColumns } from './columns.ts'
import type { SummaryRow } from './rows.ts'

/** Which public posts. `tag` and `category` are slugs, `media` is one of those a post offers beside its text. */
export interface PublicFilter {
  category?: string | undefined
  tag?: string | undefined
  /** Only those that offer one of these kinds of media. */
  media?: readonly string[] | undefined
}

/** Which posts, public or not; every status when it is absent. */
export interface AnyStatusFilter extends PublicFilter {
  status?: PostStatus | undefined
}

/** A row with its place in the list's order, to the microsecond. */
export type ListedRow = SummaryRow & { sorted_at: string }

/** Public posts, newest slot first. */
export function listPublic(
  db: Queryable,
  filter: PublicFilter,
  page: PageRequest,
  isBearer: boolean
): Promise<ListedRow[]> {
  const columns = isBearer ? bearerColumns : summaryColumns
  return list(
    db,
    `select ${columns}, published_at::text as sorted_at from public_posts`,
    'published_at',
    conditions(filter),
    page
  )
}

/** Posts of any status, newest first. */
export function listAll(db: Queryable, filter: AnyStatusFilter, page: PageRequest): Promise<ListedRow[]> {
  return list(
    db,
    `select ${bearerColumns}, created_at::text as sorted_at from posts`,
    'created_at',
    conditions(filter),
    page
  )
}

/** How many public posts there are. */
export async function countPublic(db: Queryable, filter: PublicFilter): Promise<number> {
  const { where, params } = conditions(filter)
  const [row] = await db.query<{ total: number }>(
    `select count(*) as total from public_posts ${whereOf(where)}`,
    params
  )
  return row?.total ?? 0
}

/** In how many milliseconds the next published post becomes public; null when none is ahead. */
export async function msUntilNextPublication(db: Queryable): Promise<number | null> {
  const [row] = await db.query<{ ms: number | null }>(
    `select (extract(epoch from min(published_at) - now()) * 1000)::float8 as ms
     from posts where status = 'published' and published_at > now()`
  )
  return row?.ms ?? null
}

export async function countAll(db: Queryable, filter: AnyStatusFilter): Promise<number> {
  const { where, params } = conditions(filter)
  const [row] = await db.query<{ total: number }>(`select count(*) as total from posts ${whereOf(where)}`, params)
  return row?.total ?? 0
}

/** A `where` clause in parts, with the parameters it names. */
interface Conditions {
  where: string[]
  params: Param[]
}

export function conditions({ status, category, tag, media }: AnyStatusFilter): Conditions {
  const where: string[] = []
  const params: Param[] = []
  if (status !== undefined) where.push(`status = $${params.push(status)}`)
  if (category !== undefined) where.push(`category = $${params.push(category)}`)
  if (tag !== undefined) where.push(`tag_slugs @> array[$${params.push(tag)}::text]`)
  // The index of posts with media is of those that have any.
  if (media !== undefined) where.push(`media && $${params.push(media)}::text[] and media <> '{}'`)
  return { where, params }
}

export const whereOf = (where: readonly string[]) => (where.length === 0 ? '' : `where ${where.join(' and ')}`)

/** One page in descending order, and one row more that tells whether there is a next. The few shapes are prepared once each. */
function list(
  db: Queryable,
  select: string,
  sortedBy: string,
  { where, params }: Conditions,
  page: PageRequest
): Promise<ListedRow[]> {
  const [at, post_id] = page.after ?? []
  if (at !== undefined && post_id !== undefined) {
    where.push(`(${sortedBy}, post_id) < ($${params.push(at)}::timestamptz, $${params.push(post_id)}::uuid)`)
  }
  return db.query<ListedRow>(
    `${select} ${whereOf(where)}
     order by ${sortedBy} desc, post_id desc
     limit $${params.push(fetchLimit(page))} offset $${params.push(page.offset)}`,
    params
  )
}
