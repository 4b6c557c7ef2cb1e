import type { Queryable } from '#core'
import type { Embedders } from './embedders/registry.ts'
import { embeddingDimensions, type MemoryCount, type MemoryStats } from './index.ts'
import type { Models } from './models.ts'
import { listRefusals } from './repository/refusals.ts'
import { type CountRow, countEmbeddings } from './repository/vectors.ts'

const shownRefusals = 10

/** Counts what the memory holds. */
export async function readMemoryStats(
  db: Queryable,
  { embedders, models }: { embedders: Embedders; models: Models }
): Promise<MemoryStats> {
  const chosen = embedders.named(embedders.chosenName())
  const serving_model = await models.servingModel(db)
  // With none chosen, or none that is set up, the counts are of what there is.
  const model = chosen?.model || serving_model
  const refusals = await listRefusals(db, model, shownRefusals)
  const rows = await countEmbeddings(db, serving_model, model)
  const all = rows.find(row => row.source_table === null && row.writer === null)
  return {
    total: all?.count ?? 0,
    pending: all?.pending ?? 0,
    fault: embedders.chosenFault(),
    refused: all?.refused ?? 0,
    dimensions: embeddingDimensions,
    by_source_table: countsBy(rows, 'source_table'),
    by_writer: countsBy(rows, 'writer'),
    refusals,
    model,
    serving_model
  }
}

const countsBy = (rows: readonly CountRow[], column: 'source_table' | 'writer'): MemoryCount[] =>
  rows.flatMap(({ [column]: key, count, oldest, newest }) => (key === null ? [] : [{ key, count, oldest, newest }]))
