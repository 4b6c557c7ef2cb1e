import type { Queryable, Tx } from '#core'
import type { MemoryRefusal } from '../index.ts'
import type { PendingPassage } from './vectors.ts'

/** Notes passages an embedder refuses; one that reads differently by now is left out. */
export async function saveRefusals(
  tx: Tx,
  model: string,
  refused: readonly (PendingPassage & { reason: string })[]
): Promise<void> {
  await tx.query(
    `insert into memory_refusals (entry_id, chunk, model, reason)
     select chunks.entry_id, chunks.chunk, $1, refused.reason
     from unnest($2::uuid[], $3::int[], $4::text[], $5::text[]) as refused (entry_id, chunk, text_hash, reason)
     join memory_chunks chunks using (entry_id, chunk)
     where md5(chunks.text) = refused.text_hash
     on conflict do nothing`,
    [
      model,
      refused.map(({ entry_id }) => entry_id),
      refused.map(({ chunk }) => chunk),
      refused.map(({ text_hash }) => text_hash),
      refused.map(({ reason }) => reason)
    ]
  )
}

/** The endpoint may have been repaired. */
export async function deleteOldRefusals(db: Queryable): Promise<void> {
  await db.query("delete from memory_refusals where refused_at < now() - interval '1 day'")
}

/** The latest refusals of a model. */
export async function listRefusals(db: Queryable, model: string, limit: number): Promise<MemoryRefusal[]> {
  return await db.query<MemoryRefusal>(
    `select source_table, source_id, chunk, reason from memory_refusals join memory_entries using (entry_id)
     where model = $1 order by refused_at desc, source_table, source_id, chunk limit $2`,
    [model, limit]
  )
}
