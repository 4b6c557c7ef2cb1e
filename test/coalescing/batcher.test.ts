import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Batcher, createBatcher } from '#coalescing'

type Options = Omit<Parameters<typeof createBatcher<string, string>>[0], 'run'>

/** A batcher whose batches end by hand, in any order; each result is its item in capitals. */
function byHand(
  options: Options = {}
): Batcher<string, string> & { batches(): string[]; end(at: number, error?: Error): Promise<void> } {
  const begun: { items: readonly string[]; outcome: PromiseWithResolvers<readonly string[]> }[] = []
  const batcher = createBatcher<string, string>({
    ...options,
    run: items => {
      const outcome = Promise.withResolvers<readonly string[]>()
      begun.push({ items, outcome })
      return outcome.promise
    }
  })
  return {
    ...batcher,
    batches: () => begun.map(({ items }) => items.join(' ')),
    async end(at, error) {
      const batch = begun[at]
      if (error !== undefined) batch?.outcome.reject(error)
      else batch?.outcome.resolve(batch.items.map(item => item.toUpperCase()))
      // Lets what is settled have its effects.
      await new Promise(resolve => setImmediate(resolve))
    }
  }
}

test('an item goes at once while nothing is under way; those that come meanwhile go together', async () => {
  const { add, addAll, batches, end } = byHand()
  const results = [add('a'), add('b'), add('c')]
  const more = addAll(['d', 'e'])
  assert.deepEqual(batches(), ['a'])
  await end(0)
  assert.deepEqual(batches(), ['a', 'b c d e'])
  await end(1)
  assert.deepEqual(await Promise.all(results), ['A', 'B', 'C'])
  assert.deepEqual(await more, ['D', 'E'])
})

test('several batches are under way at once, and none is larger than it may be', async () => {
  const { add, batches, end } = byHand({ maxConcurrent: 2, maxItems: 2 })
  const results = ['a', 'b', 'c', 'd', 'e'].map(add)
  assert.deepEqual(batches(), ['a', 'b'])
  await end(1)
  assert.deepEqual(batches(), ['a', 'b', 'c d'])
  await end(0)
  assert.deepEqual(batches(), ['a', 'b', 'c d', 'e'])
  await end(3)
  await end(2)
  assert.deepEqual(await Promise.all(results), ['A', 'B', 'C', 'D', 'E'])
})

test('the items of a batch are together no larger than they may be; one that is too large goes alone', async () => {
  const { add, batches, end } = byHand({ sizeOf: item => item.length, maxSize: 4 })
  for (const item of ['a', 'bb', 'cc', 'd', 'eeeeee', 'f']) void add(item)
  for (let at = 0; at < 5; at += 1) await end(at)
  assert.deepEqual(batches(), ['a', 'bb cc', 'd', 'eeeeee', 'f'])
})

test('items of one key that wait share a place; one that is under way has begun too early to be shared', async () => {
  const { add, batches, end } = byHand({ keyOf: item => item })
  const results = ['a', 'a', 'b', 'a'].map(add)
  await end(0)
  assert.deepEqual(batches(), ['a', 'a b'])
  await end(1)
  assert.deepEqual(await Promise.all(results), ['A', 'A', 'B', 'A'])
})

test('an error is that of each item of its batch, and the next batch goes on', async () => {
  const { add, batches, end } = byHand()
  const first = add('a')
  const others = ['b', 'c'].map(add)
  const refused = Promise.all(others.map(each => assert.rejects(each, /lost/)))
  await end(0)
  const last = add('d')
  await end(1, new Error('lost'))
  await refused
  await end(2)
  assert.deepEqual(batches(), ['a', 'b c', 'd'])
  assert.deepEqual(await Promise.all([first, last]), ['A', 'D'])
})

test('where it is asked for, the items of a batch that failed are tried alone, one after the other', async () => {
  const { add, batches, end } = byHand({ isRetriedAlone: error => (error as Error).message !== 'away' })
  void add('a')
  const [b, c] = [add('b'), add('c')]
  const refused = assert.rejects(b, /bad/)
  await end(0)
  await end(1, new Error('bad'))
  assert.deepEqual(batches(), ['a', 'b c', 'b'])
  await end(2, new Error('bad'))
  await refused
  await end(3)
  assert.equal(await c, 'C')
  void add('d')
  const refusedBoth = ['e', 'f'].map(item => assert.rejects(add(item), /away/))
  await end(4)
  await end(5, new Error('away'))
  await Promise.all(refusedBoth)
  assert.deepEqual(batches().slice(4), ['d', 'e f'])
})
