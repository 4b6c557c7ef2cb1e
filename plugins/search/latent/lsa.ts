/**
 * Latent semantic analysis (Deerwester et al., 1990): the words of a text as a vector in which words that the same texts say are
 * near to each other. Subspace iteration finds the strongest directions of the weighted terms; cosines need no more than those.
 */
export const latentDimensions = 100

/** How often a text says each of its terms. */
export type TermCounts = ReadonlyMap<string, number>

/** The vectors of terms, as parallel arrays: of each term `latentDimensions` numbers, weighed by the rarity of the term. */
export interface LatentModel {
  readonly terms: readonly string[]
  readonly vectors: Float64Array
}

/** Terms of fewer texts, or of more than half of them, say nothing about others. */
const minTexts = 2
const maxShare = 0.5
/** Those of most texts. */
const maxTerms = 20_000
/** More gained nothing on three judged collections. */
const iterations = 5

/** How much a text says of a term. */
const weightOf = (count: number): number => 1 + Math.log(count)

/** The weighted terms of a text, by their place in the vocabulary; of unit length. */
interface SparseText {
  readonly at: Int32Array
  readonly weights: Float64Array
}

/** Trains a model. The same texts make the same one. */
export function trainModel(texts: readonly TermCounts[]): LatentModel {
  const rarities = raritiesOf(texts)
  const terms = [...rarities.keys()]
  const positions = new Map(terms.map((term, at) => [term, at]))
  const rows = texts.map(text => sparseText(text, positions, rarities))
  let basis = firstBasis(terms.length)
  for (let round = 0; round < iterations; round++) basis = orthonormal(multiplied(rows, basis))
  for (const [at, term] of terms.entries()) {
    const rarity = rarities.get(term) ?? 0
    for (let dimension = 0; dimension < latentDimensions; dimension++)
      basis[at * latentDimensions + dimension] = rarity * (basis[at * latentDimensions + dimension] ?? 0)
  }
  return { terms, vectors: basis }
}

/** The vector of a text, of unit length; undefined for one without a term of the model. `find`: the vector of a term. */
export function vectorOf(
  counts: TermCounts,
  find: (term: string) => ArrayLike<number> | undefined
): Float64Array | undefined {
  const sum = new Float64Array(latentDimensions)
  for (const [term, count] of counts) {
    const vector = find(term)
    if (vector === undefined) continue
    const weight = weightOf(count)
    for (let at = 0; at < latentDimensions; at++) sum[at] = (sum[at] ?? 0) + weight * (vector[at] ?? 0)
  }
  return unit(sum)
}

/** The same direction, of length 1; undefined for one of length 0. */
export function unit(vector: Float64Array): Float64Array | undefined {
  const length = Math.sqrt(dot(vector, vector))
  return length === 0 ? undefined : vector.map(each => each / length)
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let at = 0; at < latentDimensions; at++) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}

function raritiesOf(texts: readonly TermCounts[]): Map<string, number> {
  const holding = new Map<string, number>()
  for (const text of texts) for (const term of text.keys()) holding.set(term, (holding.get(term) ?? 0) + 1)
  const known = [...holding].filter(([, count]) => count >= minTexts && count <= texts.length * maxShare)
  known.sort(([a, inA], [b, inB]) => inB - inA || (a < b ? -1 : 1))
  return new Map(known.slice(0, maxTerms).map(([term, count]) => [term, Math.log(texts.length / count)]))
}

function sparseText(
  text: TermCounts,
  positions: ReadonlyMap<string, number>,
  rarities: ReadonlyMap<string, number>
): SparseText {
  const known = [...text].filter(([term]) => positions.has(term))
  const weights = Float64Array.from(known, ([term, count]) => weightOf(count) * (rarities.get(term) ?? 0))
  const length = Math.sqrt(weights.reduce((sum, each) => sum + each * each, 0)) || 1
  return {
    at: Int32Array.from(known, ([term]) => positions.get(term) ?? 0),
    weights: weights.map(each => each / length)
  }
}

/** A start that has a part of every direction; the same at every run. */
function firstBasis(terms: number): Float64Array {
  let state = 1
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32 - 0.5
  }
  return Float64Array.from({ length: terms * latentDimensions }, next)
}

/** The texts' matrix, transposed, times the matrix, times the basis. */
function multiplied(rows: readonly SparseText[], basis: Float64Array): Float64Array {
  const product = new Float64Array(basis.length)
  const ofText = new Float64Array(latentDimensions)
  for (const { at, weights } of rows) {
    ofText.fill(0)
    for (let place = 0; place < at.length; place++) {
      const from = (at[place] ?? 0) * latentDimensions
      const weight = weights[place] ?? 0
      for (let dimension = 0; dimension < latentDimensions; dimension++)
        ofText[dimension] = (ofText[dimension] ?? 0) + weight * (basis[from + dimension] ?? 0)
    }
    for (let place = 0; place < at.length; place++) {
      const from = (at[place] ?? 0) * latentDimensions
      const weight = weights[place] ?? 0
      for (let dimension = 0; dimension < latentDimensions; dimension++)
        product[from + dimension] = (product[from + dimension] ?? 0) + weight * (ofText[dimension] ?? 0)
    }
  }
  return product
}

/** Beside the largest square, less is a direction that the texts do not have. */
const negligible = 1e-12

/** The same space, by directions of unit length at right angles: Cholesky's factor of their products, divided out. */
function orthonormal(basis: Float64Array): Float64Array {
  const factor = choleskyOf(productsOf(basis))
  for (let from = 0; from < basis.length; from += latentDimensions)
    for (let column = 0; column < latentDimensions; column++) {
      let value = basis[from + column] ?? 0
      for (let before = 0; before < column; before++)
        value -= (factor[column * latentDimensions + before] ?? 0) * (basis[from + before] ?? 0)
      const pivot = factor[column * latentDimensions + column] ?? 0
      basis[from + column] = pivot === 0 ? 0 : value / pivot
    }
  return basis
}

/** The products of all directions with each other: the lower half. */
function productsOf(basis: Float64Array): Float64Array {
  const products = new Float64Array(latentDimensions * latentDimensions)
  for (let from = 0; from < basis.length; from += latentDimensions)
    for (let row = 0; row < latentDimensions; row++) {
      const value = basis[from + row] ?? 0
      if (value === 0) continue
      for (let column = 0; column <= row; column++) {
        const at = row * latentDimensions + column
        products[at] = (products[at] ?? 0) + value * (basis[from + column] ?? 0)
      }
    }
  return products
}

/** In place. A direction that depends on those before has a pivot of 0. */
function choleskyOf(matrix: Float64Array): Float64Array {
  const size = latentDimensions
  let largest = 0
  for (let row = 0; row < size; row++) largest = Math.max(largest, matrix[row * size + row] ?? 0)
  for (let row = 0; row < size; row++)
    for (let column = 0; column <= row; column++) {
      let value = matrix[row * size + column] ?? 0
      for (let at = 0; at < column; at++) value -= (matrix[row * size + at] ?? 0) * (matrix[column * size + at] ?? 0)
      const pivot = matrix[column * size + column] ?? 0
      if (row === column) matrix[row * size + row] = value <= largest * negligible ? 0 : Math.sqrt(value)
      else matrix[row * size + column] = pivot === 0 ? 0 : value / pivot
    }
  return matrix
}
