import type { Queryable, Tx } from '#core'
import type { EntryPassage } from '../passages.ts'

export async function removePassages(tx: Tx, entry_ids: readonly string[]): Promise<void> {
  await tx.query('delete from memory_chunks where entry_id = any($1::uuid[])', [entry_ids])
}

/** One that is there stays: whoever inserts has the entry's lock and has cut the same text. */
export async function insertPassages(tx: Tx, chunks: readonly EntryPassage[]): Promise<void> {
  await tx.query(
    `insert into memory_chunks (entry_id, chunk, text)
     select entry_id, chunk, text from unnest($1::uuid[], $2::int[], $3::text[]) as chunks (entry_id, chunk, text)
     on conflict do nothing`,
    [chunks.map(({ entry_id }) => entry_id), chunks.map(({ chunk }) => chunk), chunks.map(({ text }) => text)]
  )
}

/** Texts of about `maxTexts` passages from all over the table; all of them where there are fewer. */
export async function listSampleTexts(db: Queryable, maxTexts: number): Promise<string[]> {
  const [size] = await db.query<{ passages: number }>(
    "select greatest(reltuples, 0)::int as passages from pg_class where oid = 'memory_chunks'::regclass"
  )
  // Twice as many pages as needed: some hold fewer passages than others. A table never analysed counts as small.
  const percent = Math.min(100, (200 * maxTexts) / Math.max(size?.passages ?? 0, 1))
  const rows = await db.query<{ text: string }>(
    'select text from memory_chunks tablesample system ($1) repeatable (1) limit $2',
    [percent, maxTexts]
  )
  return rows.map(row => row.text)
}
