import type { Db, Queryable, Tx } from '#core'
import { deleteAllServed } from './unembedded.ts'

export interface ModelRow {
  model: string
  embedder: string
  origin: Record<string, string>
}

export async function findServing(db: Queryable): Promise<ModelRow | undefined> {
  const rows = await db.query<ModelRow>('select model, embedder, origin from memory_models where is_serving')
  return rows[0]
}

/** Notes a model; the first one serves at once. */
export async function recordModel(db: Queryable, { model, embedder, origin }: ModelRow): Promise<void> {
  await db.query(
    `insert into memory_models (model, embedder, origin, is_serving)
     values ($1, $2, $3, not exists (select from memory_models where is_serving))
     on conflict (model) do update set embedder = excluded.embedder, origin = excluded.origin
     where (memory_models.embedder, memory_models.origin) is distinct from (excluded.embedder, excluded.origin)`,
    [model, embedder, JSON.stringify(origin)]
  )
}

/** Leases a noted model to one holder for a minute; false while another has it. */
export async function leaseModel(db: Queryable, model: string, holder: string): Promise<boolean> {
  const rows = await db.query(
    `update memory_models set leased_by = $2, leased_until = now() + interval '1 minute'
     where model = $1 and (leased_by is not distinct from $2 or coalesce(leased_until, '-infinity') < now()) returning 1`,
    [model, holder]
  )
  return rows.length > 0
}

export async function releaseModels(db: Queryable, holder: string): Promise<void> {
  await db.query('update memory_models set leased_by = null, leased_until = null where leased_by = $1', [holder])
}

/** Makes a model serve that has a vector for every passage; false when it has not. Others are forgotten. */
export async function serveWhenComplete(tx: Tx, model: string): Promise<boolean> {
  const missing = await tx.query(
    `select 1 from memory_chunks chunks where not exists (
       select from memory_embeddings made
       where made.entry_id = chunks.entry_id and made.chunk = chunks.chunk and made.model = $1
     ) and not exists (
       select from memory_refusals refused
       where refused.entry_id = chunks.entry_id and refused.chunk = chunks.chunk and refused.model = $1
     ) limit 1`,
    [model]
  )
  if (missing.length > 0) return false
  await tx.query('delete from memory_models where model <> $1', [model])
  await tx.query('update memory_models set is_serving = true where model = $1 and not is_serving', [model])
  await deleteAllServed(tx, model)
  return true
}

/** Deletes vectors of models that are not known any more, some thousand at a time. Returns how many were deleted. */
export async function deleteVectorsOfUnknownModels(db: Db): Promise<number> {
  let removed = 0
  while (true) {
    const rows = await db.query(
      `delete from memory_embeddings where ctid = any (array(
         select ctid from memory_embeddings where model not in (select model from memory_models) limit 5000
       )) returning 1`
    )
    removed += rows.length
    if (rows.length === 0) return removed
  }
}
