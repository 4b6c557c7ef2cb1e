import type { Queryable } from '#core'

/** Rows of `search_posts` as bytes, most significant first: number (4), published (4), generation (4), version of the text (4), length (2), language (2). */
export const entryBytes = 20

const entries = `string_agg(int4send(post_no) || int4send(coalesce(published, -2147483648)) || int4send(coalesce(generation, -1))
  || int4send(text_version) || int2send(length_code) || int2send(language_code), ''::bytea)`

export interface EntriesRow {
  entries: Buffer | null
  /** The last number among them; null without any. */
  last: number | null
  /** What transactions from this one on wrote may not be among them: a number of 64 bits as text. */
  horizon: string
  /** The database's clock, in seconds since 2000. */
  seconds: number
}

const more = `pg_snapshot_xmin(pg_current_snapshot())::text as horizon,
  ceil(extract(epoch from now()) - 946684800)::int as seconds`

/** A page of all posts, by number. */
export async function readEntries(db: Queryable, after: number, limit: number): Promise<EntriesRow> {
  const [row] = await db.query<EntriesRow>(
    `select ${entries} as entries, max(post_no) as last, ${more}
     from (select * from search_posts where post_no > $1 order by post_no limit $2) as page`,
    [after, limit]
  )
  return present(row)
}

/** The posts that were written since a horizon. */
export async function readChangedEntries(db: Queryable, horizon: string): Promise<EntriesRow> {
  const [row] = await db.query<EntriesRow>(
    `select ${entries} as entries, max(post_no) as last, ${more} from search_posts where version >= $1::text::xid8`,
    [horizon]
  )
  return present(row)
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
