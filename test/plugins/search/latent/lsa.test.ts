import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createCorpus,
  dot,
  type LatentModel,
  latentDimensions,
  vectorOf
} from '../../../../plugins/search/latent/lsa.ts'
import { decodeVector, encodeVector, storedVectorBytes } from '../../../../plugins/search/latent/stored-vectors.ts'
import { textOfSubject } from './subjects.ts'

const countsOf = (text: string) => {
  const counts = new Map<string, number>()
  for (const term of text.split(' ')) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

function trainOn(texts: readonly string[]): Promise<LatentModel> {
  const corpus = createCorpus()
  for (const text of texts) corpus.add(countsOf(text))
  return corpus.train()
}

function vectorBy({ terms, vectors }: LatentModel, text: string): Float64Array {
  const found = vectorOf(countsOf(text), term => {
    const at = terms.indexOf(term)
    return at === -1 ? undefined : vectors.subarray(at * latentDimensions, (at + 1) * latentDimensions)
  })
  assert.ok(found, text)
  return found
}

const cars = ['car engine wheel', 'automobile engine brake', 'car brake wheel', 'automobile wheel engine']
const flowers = ['rose petal garden', 'tulip garden soil', 'rose soil leaf', 'tulip petal leaf']

test('a text is near to those that say other words of its subject', async () => {
  const model = await trainOn(Array.from({ length: 400 }, (_, n) => textOfSubject(n, n % 2 === 0 ? 'sea' : 'town')))
  const near = (a: string, b: string) => dot(vectorBy(model, a), vectorBy(model, b))
  const words = (subject: string, from: number) =>
    Array.from({ length: 20 }, (_, at) => `${subject}${from + at}`).join(' ')
  const same = near(words('sea', 0), words('sea', 50))
  const other = near(words('sea', 0), words('town', 50))
  assert.ok(same > 0.2 && Math.abs(other) < 0.1, `${same} and ${other}`)
})

test('the same texts make the same model', async () => {
  assert.deepEqual(await trainOn([...cars, ...flowers]), await trainOn([...cars, ...flowers]))
})

test('vectors are finite and of unit length where there are fewer texts than dimensions', async () => {
  const model = await trainOn([...cars, ...flowers])
  assert.ok(model.vectors.every(Number.isFinite))
  for (const text of [...cars, ...flowers]) {
    const vector = vectorBy(model, text)
    assert.ok(Math.abs(dot(vector, vector) - 1) < 1e-9, text)
  }
})

test('terms of one text, and of most texts, are left out', async () => {
  const { terms } = await trainOn(['all one two', 'all two', 'all three', 'all three'])
  assert.deepEqual([...terms].sort(), ['three', 'two'])
})

test('without texts there is a model without terms', async () => {
  const { terms } = await trainOn([])
  assert.deepEqual(terms, [])
  assert.equal(
    vectorOf(countsOf('car'), () => undefined),
    undefined
  )
})

test('a stored vector is the vector, to half a step of its largest number', () => {
  const vector = Float64Array.from({ length: latentDimensions }, (_, at) => Math.sin(at) * (at + 1) * 0.1)
  const bytes = new Uint8Array(2 * storedVectorBytes)
  encodeVector(vector, bytes, storedVectorBytes)
  const found = decodeVector(bytes.subarray(storedVectorBytes))
  assert.ok(found)
  const step = Math.max(...vector.map(Math.abs)) / 127
  for (const [at, each] of found.entries()) assert.ok(Math.abs(each - (vector[at] ?? 0)) <= step * 0.5001, `${at}`)
  encodeVector([], bytes, 0)
  assert.deepEqual(decodeVector(bytes.subarray(0, storedVectorBytes)), new Float64Array(latentDimensions))
})

test('damaged bytes are no vector', () => {
  const bytes = new Uint8Array(storedVectorBytes)
  encodeVector(new Float64Array(latentDimensions).fill(0.1), bytes, 0)
  assert.equal(decodeVector(bytes.subarray(1)), undefined)
  for (const at of bytes.keys()) {
    const changed = Uint8Array.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    assert.equal(decodeVector(changed), undefined, `byte ${at}`)
  }
  for (const step of [Number.NaN, Number.POSITIVE_INFINITY, -1, 1e9]) {
    new DataView(bytes.buffer).setFloat32(0, step)
    assert.equal(decodeVector(bytes), undefined, `${step}`)
  }
})
