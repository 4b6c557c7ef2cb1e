import type { Queryable, Tx } from '#core'
import { fetchLimit, type PageRequest } from '#lists'
import type { SourceTable } from '../index.ts'
import type { CheckedEntry } from '../input.ts'

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

/** No id is lower: lists in the order of ids begin after it. */
export const nilUuid = '00000000-0000-0000-0000-000000000000'

const excerptLength = 200
const columns = `source_table, source_id, writer, title, url, tags, left(text, ${excerptLength}) as excerpt,
  octet_length(text) as bytes, created_at, updated_at,
  (select count(*)::int from memory_chunks where memory_chunks.entry_id = memory_entries.entry_id) as passages`
const fits = '($1::text is null or source_table = $1) and ($2::text is null or writer = $2)'

/** Newest first, up to one more than the page holds. */
export function listEntries(
  db: Queryable,
  { source_table, writer }: EntryFilter,
  page: PageRequest
): Promise<(EntryRow & { entry_id: string })[]> {
  return db.query(
    `select entry_id, ${columns} from memory_entries
     where ${fits} and ($3::timestamptz is null or (created_at, entry_id) < ($3, $4::uuid))
     order by created_at desc, entry_id desc limit $5 offset $6`,
    [source_table, writer, page.after?.[0] ?? null, page.after?.[1] ?? null, fetchLimit(page), page.offset]
  )
}

/** The ids of a writer's entries of a source table from `after` on, in their order. */
export async function listSourceIds(
  db: Queryable,
  { source_table, writer }: { source_table: SourceTable; writer: string },
  after: string,
  limit: number
): Promise<string[]> {
  const rows = await db.query<{ source_id: string }>(
    'select source_id from memory_entries where source_table = $1 and source_id > $2 and writer = $4 order by source_id limit $3',
    [source_table, after, limit, writer]
  )
  return rows.map(({ source_id }) => source_id)
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

/** An entry as writers quote it. */
interface EntryText {
  entry_id: string
  source_id: string
  title: string | null
  text: string
  url: string | null
}

export async function listEntryTexts(db: Queryable, entry_ids: readonly string[]): Promise<EntryText[]> {
  return await db.query<EntryText>(
    'select entry_id, source_id, title, text, url from memory_entries where entry_id = any($1::uuid[])',
    [entry_ids]
  )
}

export async function hasEntry(db: Queryable, entry: CheckedEntry): Promise<boolean> {
  const rows = await db.query(
    'select 1 from memory_entries where source_table = $1 and source_id = $2 and content_hash = $3',
    [entry.source_table, entry.source_id, entry.content_hash]
  )
  return rows.length > 0
}

/** Inserts or replaces; returns those that are new or changed. Their rows stay locked until the transaction ends. */
export function saveEntries(tx: Tx, entries: readonly CheckedEntry[]): Promise<{ entry_id: string }[]> {
  return tx.query(
    `insert into memory_entries (source_table, source_id, writer, title, url, text, content_hash, tags, metadata)
     select source_table, source_id, writer, title, url, text, content_hash,
       array(select jsonb_array_elements_text(tags)), metadata
     from jsonb_to_recordset($1::jsonb) as entry (source_table text, source_id text, writer text, title text, url text,
       text text, content_hash text, tags jsonb, metadata jsonb)
     -- Two that lock the same ones do it in the same order.
     order by source_table, source_id
     on conflict (source_table, source_id) do update set
       writer = excluded.writer, title = excluded.title, url = excluded.url, text = excluded.text,
       content_hash = excluded.content_hash, tags = excluded.tags, metadata = excluded.metadata, updated_at = now()
     where memory_entries.content_hash <> excluded.content_hash
     returning entry_id`,
    [JSON.stringify(entries)]
  )
}

/** An entry whose text is not split into passages yet. */
export interface UnsplitEntry {
  entry_id: string
  title: string | null
  text: string
  content_hash: string
}

const unsplit = (which: string) => `select entry_id, title, text, content_hash from memory_entries entries
  where ${which} entry_id > $1 and not exists (select from memory_chunks where entry_id = entries.entry_id)
  order by entry_id limit $2`
const unsplitOfAll = unsplit('')
const unsplitOfSome = unsplit('entry_id = any($3::uuid[]) and')

/** Entries without passages, among these or (null) all, by id from `after` on. */
export async function listUnsplit(
  db: Queryable,
  { entry_ids, after, limit }: { entry_ids: readonly string[] | null; after: string | null; limit: number }
): Promise<UnsplitEntry[]> {
  const params = [after ?? nilUuid, limit]
  return entry_ids === null
    ? await db.query<UnsplitEntry>(unsplitOfAll, params)
    : await db.query<UnsplitEntry>(unsplitOfSome, [...params, entry_ids])
}

/**
 * Keeps others from replacing the entries until the transaction ends. Taken before their passages: who replaces an entry
 * takes its row first, too.
 */
export async function lockEntries(tx: Tx, entry_ids: readonly string[]): Promise<void> {
  await tx.query(
    'select from memory_entries where entry_id = any($1::uuid[]) order by source_table, source_id for share',
    [entry_ids]
  )
}

/** Those of the entries that still have the text they were read with, locked. */
export async function lockUnchanged(tx: Tx, entries: readonly UnsplitEntry[]): Promise<Set<string>> {
  const rows = await tx.query<{ entry_id: string }>(
    `select entry_id from memory_entries
     join unnest($1::uuid[], $2::text[]) as was (entry_id, content_hash) using (entry_id, content_hash)
     order by source_table, source_id for update of memory_entries`,
    [entries.map(({ entry_id }) => entry_id), entries.map(({ content_hash }) => content_hash)]
  )
  return new Set(rows.map(({ entry_id }) => entry_id))
}

export async function removeEntry(tx: Tx, source_table: string, source_id: string): Promise<boolean> {
  const rows = await tx.query('delete from memory_entries where source_table = $1 and source_id = $2 returning 1', [
    source_table,
    source_id
  ])
  return rows.length > 0
}
