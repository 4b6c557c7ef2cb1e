import { createHash } from 'node:crypto'
import type { Queryable } from '#core'
import type { Embedders, Vectors } from './embedders.ts'
import type { Embedder } from './index.ts'
import { listVectorsOfTexts } from './repository.ts'

/**
 * Vectors of passages, in their order. One that the memory holds already, in whatever entry, is not made again: an
 * endpoint may be slow or cost money.
 */
export async function passageVectors(
  { db, embedders }: { db: Queryable; embedders: Embedders },
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal
): Promise<Vectors> {
  if (embedder.isCheap) return await embedders.embedWith(embedder, texts, signal)
  const { model, floor = 0 } = embedder
  const hashes = texts.map(text => createHash('md5').update(text).digest('hex'))
  const vectors = await listVectorsOfTexts(db, model, [...new Set(hashes)])
  const missing = new Map(
    texts.flatMap((text, at) => (vectors.has(hashes[at] ?? '') ? [] : [[hashes[at] ?? '', text]]))
  )
  const made = await embedders.embedWith(embedder, [...missing.values()], signal)
  for (const [at, hash] of [...missing.keys()].entries()) vectors.set(hash, made.embeddings[at] ?? [])
  return { model, floor, embeddings: hashes.map(hash => vectors.get(hash) ?? []) }
}
