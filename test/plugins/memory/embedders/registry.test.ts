import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UnavailableError } from '#core'
import { type Embedder, embeddingDimensions } from '#plugins/memory'
import { createEmbedders } from '../../../../plugins/memory/embedders/registry.ts'

test('an embedder that failed is away for 15 seconds, or until it answers; another is not', async () => {
  let clock = 0
  let isGone = true
  const embedder: Embedder = {
    model: 'sometimes',
    embed: async texts => {
      if (isGone) throw new UnavailableError('It is gone.')
      return texts.map(() => Array.from({ length: embeddingDimensions }, () => 1))
    }
  }
  const other: Embedder = { ...embedder, model: 'other' }
  const embedders = createEmbedders({ get: () => 'sometimes' as never }, () => new Date(clock))
  const embed = () => embedders.embedWith(embedder, ['x'], new AbortController().signal)
  assert.equal(embedders.isUnavailable(embedder), false)
  await assert.rejects(embed(), /It is gone/)
  assert.deepEqual([embedders.isUnavailable(embedder), embedders.isUnavailable(other)], [true, false])
  clock = 15_000
  assert.equal(embedders.isUnavailable(embedder), false)
  await assert.rejects(embed(), /It is gone/)
  isGone = false
  await embed()
  assert.equal(embedders.isUnavailable(embedder), false)
})

test('one that fails to embed stored texts is still asked questions', async () => {
  const embedder: Embedder = {
    model: 'slow',
    embed: async () => {
      throw new UnavailableError('Too much at once.')
    }
  }
  const embedders = createEmbedders({ get: () => 'slow' as never }, () => new Date())
  await assert.rejects(embedders.embedStored(embedder, ['x'], new AbortController().signal), /Too much/)
  assert.deepEqual([embedders.isUnavailable(embedder), embedders.isUnavailableForStored(embedder)], [false, true])
})
