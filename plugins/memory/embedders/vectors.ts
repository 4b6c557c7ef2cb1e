import { UnavailableError } from '#core'
import { embeddingDimensions } from '../index.ts'

/** Vectors of one model. `baselineCosine` is the cosine of texts that have nothing in common. */
export interface Vectors {
  model: string
  baselineCosine: number
  embeddings: number[][]
}

/** Checked, and of unit length. @throws UnavailableError for anything that is no vector */
export function checkVectors(model: string, vectors: readonly number[][], wanted: number): number[][] {
  if (vectors.length !== wanted)
    throw new UnavailableError(`The embedder ${model} gave ${vectors.length} vectors for ${wanted} texts.`)
  return vectors.map(vector => toUnit(model, vector))
}

function toUnit(model: string, vector: number[]): number[] {
  if (vector.length !== embeddingDimensions) {
    const said = `The embedder ${model} gives ${vector.length} numbers a text, and ${embeddingDimensions} are needed`
    throw new UnavailableError(`${said}: choose another embedder_model.`)
  }
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + (Number.isFinite(value) ? value * value : Number.NaN), 0))
  if (!(norm > 0 && norm < Number.POSITIVE_INFINITY)) {
    throw new UnavailableError(
      `The embedder ${model} gave a vector that is zero or holds something that is not a finite number.`
    )
  }
  return Math.abs(norm - 1) < 1e-6 ? vector : vector.map(value => value / norm)
}
