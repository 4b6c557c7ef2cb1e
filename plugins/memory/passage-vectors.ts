import { createHash } from 'node:crypto'
import type { Queryable } from '#core'
import type { Embedders } from './embedders/registry.ts'
import type { Vectors } from './embedders/vectors.ts'
import { type Embedder, TextsRefusedError } from './index.ts'
import { listVectorsOfTexts } from './repository/vectors.ts'

interface PassageVectorsDeps {
  db: Queryable
  embedders: Embedders
}

/**
 * Vectors of passages, in their order. One that the memory holds already, in whatever entry, is not made again: an
 * endpoint may be slow or cost money.
 */
export async function passageVectors(
  { db, embedders }: PassageVectorsDeps,
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal
): Promise<Vectors> {
  if (embedder.isCheap) return await embedders.embedStored(embedder, texts, signal)
  const { model, baselineCosine = 0 } = embedder
  const hashes = texts.map(text => createHash('md5').update(text).digest('hex'))
  const vectors = await listVectorsOfTexts(db, model, [...new Set(hashes)])
  const missing = new Map(
    texts.flatMap((text, at) => (vectors.has(hashes[at] ?? '') ? [] : [[hashes[at] ?? '', text]]))
  )
  const made = await embedders.embedStored(embedder, [...missing.values()], signal)
  for (const [at, hash] of [...missing.keys()].entries()) vectors.set(hash, made.embeddings[at] ?? [])
  return { model, baselineCosine, embeddings: hashes.map(hash => vectors.get(hash) ?? []) }
}

/**
 * The same where the embedder refuses some of them: those have its error in place of a vector, the others their vectors.
 * @throws UnavailableError when it does not answer, or refuses whatever it is asked
 */
export async function vectorsOrRefusals(
  deps: PassageVectorsDeps,
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal
): Promise<(number[] | TextsRefusedError)[]> {
  try {
    return (await passageVectors(deps, embedder, texts, signal)).embeddings
  } catch (error) {
    if (!(error instanceof TextsRefusedError)) throw error
    if (texts.length > 1) {
      const half = Math.ceil(texts.length / 2)
      const first = await vectorsOrRefusals(deps, embedder, texts.slice(0, half), signal)
      return [...first, ...(await vectorsOrRefusals(deps, embedder, texts.slice(half), signal))]
    }
    // Only what it refuses of all it could be asked is the text's fault.
    await deps.embedders.embedStored(embedder, ['Is anybody there?'], signal)
    return [error]
  }
}
