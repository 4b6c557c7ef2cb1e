import { endianness } from 'node:os'
import type { Queryable } from '#core'
import { type IndexedPosts, notIndexed, notPublished } from '../inverted-index/post-table.ts'
import { fromBase64, toBase64 } from './base64.ts'
import { horizonSql } from './horizon.ts'
import { indexSeconds } from './index-time.ts'

const columns = [
  'post_no',
  `coalesce(published, ${notPublished})`,
  `coalesce(generation, ${notIndexed})`,
  'text_version',
  'length_code',
  'language_code'
]

/** Columns of `search_posts` one after the other, as numbers of four bytes, most significant first. */
const entries = toBase64(columns.map(column => `string_agg(int4send(${column}), ''::bytea)`).join(' || '))

interface EntriesRow {
  entries: string | null
  /** The last number among them; null without any. */
  last: number | null
  /** What transactions from this one on wrote may not be among them: a number of 64 bits as text. */
  horizon: string
  /** The database's clock, in seconds since 2000. */
  seconds: number
}

/** A row with its columns. To read numbers one by one would take a tenth of a second for 100,000 posts. */
export interface IndexedPostsPage extends Omit<EntriesRow, 'entries'> {
  posts: IndexedPosts
}

const readAt = `${horizonSql} as horizon, ${indexSeconds('now()')} as seconds`

/** A page of all posts, by number. */
export async function readEntries(db: Queryable, after: number, limit: number): Promise<IndexedPostsPage> {
  const [row] = await db.query<EntriesRow>(
    `select ${entries} as entries, max(post_no) as last, ${readAt}
     from (select * from search_posts where post_no > $1 order by post_no limit $2) as page`,
    [after, limit]
  )
  return postsPageOf(present(row))
}

/** The posts that were written since a horizon. */
export async function readChangedEntries(db: Queryable, horizon: string): Promise<IndexedPostsPage> {
  const [row] = await db.query<EntriesRow>(
    `select ${entries} as entries, max(post_no) as last, ${readAt} from search_posts where version >= $1::text::xid8`,
    [horizon]
  )
  return postsPageOf(present(row))
}

function postsPageOf({ entries, ...page }: EntriesRow): IndexedPostsPage {
  // A copy begins where numbers of four bytes may begin.
  const bytes = new Uint8Array(fromBase64(entries ?? ''))
  if (endianness() === 'LE') Buffer.from(bytes.buffer).swap32()
  const count = bytes.length / (Int32Array.BYTES_PER_ELEMENT * columns.length)
  const column = (at: number) => new Int32Array(bytes.buffer, at * count * Int32Array.BYTES_PER_ELEMENT, count)
  return {
    ...page,
    posts: {
      postNos: column(0),
      publishedSeconds: column(1),
      generations: column(2),
      textVersions: column(3),
      lengthCodes: column(4),
      languageCodes: column(5)
    }
  }
}

function present<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new TypeError('An aggregate answered no row.')
  return row
}

/** Rows that a restored backup brought from another server may name transactions of the future. */
export async function renewVersions(db: Queryable): Promise<void> {
  await db.query('update search_posts set version = pg_current_xact_id()')
}

interface IndexStateRow {
  /** The language of texts without one of their own; null before the first post was indexed. */
  language: string | null
  /** Texts indexed by this generation, or an earlier one, are to be indexed again. */
  rebuild_through: number
  /** Published posts wait for a segment. */
  is_waiting: boolean
}

export async function readIndexState(db: Queryable): Promise<IndexStateRow> {
  const rows = await db.query<IndexStateRow>(
    `select language, coalesce(rebuild_through, 0) as rebuild_through,
       exists (select from search_posts where generation is null and published is not null) as is_waiting
     from (select true as only_one) as one left join search_state using (only_one)`
  )
  return present(rows[0])
}

/** Has all texts indexed again: those without a language of their own in this one. */
export async function beginRebuild(tx: Queryable, language: string): Promise<void> {
  await tx.query('update search_state set language = $1, rebuild_through = last_generation', [language])
}

/** Every text has been indexed again, unless another rebuild was asked for meanwhile. */
export async function finishRebuild(tx: Queryable, through: number): Promise<void> {
  await tx.query('update search_state set rebuild_through = 0 where rebuild_through = $1', [through])
}

/**
 * Makes `writer` the one that writes segments, or lets it stay so for another minute. `language` is that of the first texts.
 * @returns false while another does
 */
export async function leaseWriting(db: Queryable, writer: string, language: string): Promise<boolean> {
  const rows = await db.query(
    `insert into search_state as present (writer, written_until, language) values ($1, now() + interval '1 minute', $2)
     on conflict (only_one) do update set writer = $1, written_until = now() + interval '1 minute'
       where present.writer is null or present.writer = $1 or present.written_until < now()
     returning 1 as leased`,
    [writer, language]
  )
  return rows.length > 0
}

export async function endWriting(db: Queryable, writer: string): Promise<void> {
  await db.query('update search_state set writer = null, written_until = null where writer = $1', [writer])
}
