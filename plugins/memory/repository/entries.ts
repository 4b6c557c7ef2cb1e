import type { PageRequest, Queryable } from '#core'
import type { SourceTable } from '../index.ts'

/** An entry as lists show it: without its text. */
export interface EntryRow {
  source_table: SourceTable
  source_id: string
  writer: string
  title: string | null
  url: string | null
  tags: string[]
  /** Where the text begins. */
  excerpt: string
  /** Of the text, in UTF-8. */
  bytes: number
  /** Passages it was cut into; 0 while a job has that to do. */
  passages: number
  created_at: string
  updated_at: string
}
export interface FullEntryRow extends EntryRow {
  text: string
  metadata: Record<string, unknown>
}

export interface EntryFilter {
  source_table: string | null
  writer: string | null
}

const excerptLength = 200
const columns = `source_table, source_id, writer, title, url, tags, left(text, ${excerptLength}) as excerpt,
  octet_length(text) as bytes, created_at, updated_at,
  (select count(*)::int from memory_chunks where memory_chunks.entry_id = memory_entries.entry_id) as passages`
const fits = '($1::text is null or source_table = $1) and ($2::text is null or writer = $2)'

/** Newest first, up to one more than the page holds. */
export function listEntries(
  db: Queryable,
  { source_table, writer }: EntryFilter,
  { limit, offset, after }: PageRequest
): Promise<(EntryRow & { entry_id: string })[]> {
  return db.query(
    `select entry_id, ${columns} from memory_entries
     where ${fits} and ($3::timestamptz is null or (created_at, entry_id) < ($3, $4::uuid))
     order by created_at desc, entry_id desc limit $5 offset $6`,
    [source_table, writer, after?.[0] ?? null, after?.[1] ?? null, limit + 1, offset]
  )
}

export async function countEntries(db: Queryable, { source_table, writer }: EntryFilter): Promise<number> {
  const [row] = await db.query<{ count: number }>(`select count(*)::int as count from memory_entries where ${fits}`, [
    source_table,
    writer
  ])
  return row?.count ?? 0
}

export async function findEntry(
  db: Queryable,
  source_table: string,
  source_id: string
): Promise<FullEntryRow | undefined> {
  const [row] = await db.query<FullEntryRow>(
    `select ${columns}, text, metadata from memory_entries where source_table = $1 and source_id = $2`,
    [source_table, source_id]
  )
  return row
}
