import type { Db } from '#core'
import {
  countLostVectors,
  listModels,
  listPostVectors,
  listTermVectors,
  removeModel,
  repairPostVectors,
  type VerifiedModel
} from '../repository/latent-verification.ts'
import { decodeVector } from './stored-vectors.ts'

interface VectorVerifyOptions {
  signal: AbortSignal
  /** Has damaged vectors of posts made again, and another model trained where those of its terms are damaged. */
  isFixing: boolean
}

const vectorsPerPage = 10_000
const beforeFirst = -1

/** Reads all vectors. @returns how many are damaged or missing */
export async function verifyVectors(db: Db, { signal, isFixing }: VectorVerifyOptions): Promise<number> {
  let wrong = 0
  for (const model of await listModels(db)) {
    const ofTerms = await countWrongTerms(db, model)
    const damaged = await listDamaged(db, model, signal)
    const lost = model.is_ready ? await countLostVectors(db, model.model_id) : 0
    wrong += ofTerms + damaged.length + lost
    if (!isFixing) continue
    if (ofTerms > 0) await removeModel(db, model.model_id)
    else if (damaged.length + lost > 0) await db.transaction(tx => repairPostVectors(tx, model.model_id, damaged))
  }
  return wrong
}

async function countWrongTerms(db: Db, { model_id, terms }: VerifiedModel): Promise<number> {
  const vectors = await listTermVectors(db, model_id)
  const whole = vectors.filter(({ vector }) => decodeVector(vector) !== undefined)
  return Math.abs(terms - vectors.length) + vectors.length - whole.length
}

async function listDamaged(db: Db, { model_id }: VerifiedModel, signal: AbortSignal): Promise<number[]> {
  const damaged: number[] = []
  for (let after = beforeFirst; ; ) {
    signal.throwIfAborted()
    const page = await listPostVectors(db, model_id, after, vectorsPerPage)
    for (const { post_no, vector } of page) if (decodeVector(vector) === undefined) damaged.push(post_no)
    const last = page.at(-1)
    if (last === undefined) return damaged
    after = last.post_no
  }
}
