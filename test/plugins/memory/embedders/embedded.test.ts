import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createEmbeddedEmbedder } from '../../../../plugins/memory/embedders/embedded.ts'
import { similarityAboveBaseline } from '../../../../plugins/memory/index.ts'

const embedder = createEmbeddedEmbedder()
const { signal } = new AbortController()

const dot = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, place) => sum + value * (b[place] ?? 0), 0)

async function cosine(a: string, b: string): Promise<number> {
  const [first = [], second = []] = await embedder.embed([a, b], signal)
  return dot(first, second)
}

async function similarity(a: string, b: string): Promise<number> {
  return similarityAboveBaseline(await cosine(a, b), embedder.baselineCosine ?? 0)
}

describe('the embedded embedder', () => {
  const pairs: [string, string, string, number, number][] = [
    ['identical titles', 'How to bake sourdough bread', 'How to bake sourdough bread', 0.999999, 1.000001],
    ['case and punctuation', 'How to bake sourdough bread', 'HOW TO BAKE: "sourdough" bread!', 0.999999, 1.000001],
    ['accents', 'Crème brûlée at home', 'Creme brulee at home', 0.999999, 1.000001],
    ['inflections', 'Caching pages in browsers', 'Cached page in a browser', 0.8, 1],
    [
      'reordered words',
      'How PostgreSQL keeps readers and writers apart',
      'How PostgreSQL keeps writers and readers apart',
      0.93,
      0.999
    ],
    [
      'a typo',
      'How PostgreSQL keeps readers and writers apart',
      'How PostgreSQL keeps raeders and writers apart',
      0.7,
      0.95
    ],
    ['one noun swapped', 'How to bake sourdough bread', 'How to bake rye bread', 0.4, 0.75],
    [
      'another noun swapped',
      'How vaccines train the immune system',
      'How exercise trains the immune system',
      0.4,
      0.75
    ],
    ['a word taken apart', 'Rollbacks by image', 'How to roll back an image', 0.5, 0.95],
    ['unrelated titles', 'How to bake sourdough bread', 'A history of the bicycle', 0, 0.15],
    ['only function words in common', 'What is this and why is it so', 'This is why it is what it was', 0.3, 1.000001]
  ]
  for (const [name, a, b, min, max] of pairs) {
    test(`gives ${name} a similarity of ${min} to ${max}`, async () => {
      const found = await similarity(a, b)
      assert.ok(found >= min && found <= max, `${found}`)
    })
  }

  test('gives every text a unit vector of 768 finite numbers, the same each time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 300 }), async text => {
        const [vector = []] = await embedder.embed([text], signal)
        const [again] = await createEmbeddedEmbedder().embed([text], signal)
        assert.equal(vector.length, 768)
        assert.ok(vector.every(Number.isFinite))
        assert.ok(Math.abs(dot(vector, vector) - 1) < 1e-4)
        assert.deepEqual(again, vector)
      }),
      { numRuns: 100, seed: 1 }
    )
  })

  for (const text of ['', '   \n', '\u200b', '🙂🙂', '!!!', 'a the of', '深層学習', 'x'.repeat(100_000)]) {
    test(`has a direction for ${JSON.stringify(text.slice(0, 12))}`, async () => {
      const [vector = []] = await embedder.embed([text], signal)
      assert.ok(Math.abs(dot(vector, vector) - 1) < 1e-4)
    })
  }

  test('tells texts apart that are written without blanks or letters', async () => {
    assert.ok((await similarity('深層学習の入門', '深層学習とは')) > 0.3)
    assert.ok((await similarity('深層学習', '桜の季節')) < 0.3)
    assert.ok((await similarity('🙂', '🚀')) < 0.5)
  })

  test('stops when it is told to', async () => {
    await assert.rejects(embedder.embed(['text'], AbortSignal.abort()), { name: 'AbortError' })
  })

  test('lets other work run between texts', async () => {
    const order: string[] = []
    setImmediate(() => order.push('other work'))
    await embedder.embed(Array(100).fill('some words'), signal)
    order.push('embedded')
    assert.deepEqual(order, ['other work', 'embedded'])
  })
})
