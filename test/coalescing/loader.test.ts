import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLoader } from '#coalescing'

interface Row {
  key: string
}

/** A loader whose statements are answered by hand, in any order. */
function byHand(options: { maxConcurrent?: number; maxKeys?: number } = {}) {
  const statements: { keys: readonly string[]; answer(rows: Row[]): void; fail(error: Error): void }[] = []
  const loader = createLoader<Row>({
    ...options,
    keyOf: row => row.key,
    read: keys => new Promise((answer, fail) => statements.push({ keys, answer, fail }))
  })
  return { ...loader, statements, keys: () => statements.map(({ keys }) => keys.join(' ')) }
}
const row = (key: string): Row => ({ key })
/** Lets what is settled have its effects. */
const nextTick = () => new Promise(resolve => setImmediate(resolve))

test('a key is read at once while nothing is under way, and what waits is read together', async () => {
  const { load, statements, keys } = byHand({ maxConcurrent: 1 })
  const found = [load('a'), load('b'), load('c')]
  assert.deepEqual(keys(), ['a'])
  statements[0]?.answer([row('a')])
  await nextTick()
  assert.deepEqual(keys(), ['a', 'b c'])
  statements[1]?.answer([row('c'), row('b')])
  assert.deepEqual(await Promise.all(found), [row('a'), row('b'), row('c')])
})

test('a key that is being read is read again: what was read may be older than the call', async () => {
  const { load, statements, keys } = byHand({ maxConcurrent: 1 })
  const first = load('a')
  const second = load('a')
  statements[0]?.answer([])
  assert.equal(await first, undefined)
  await nextTick()
  assert.deepEqual(keys(), ['a', 'a'])
  statements[1]?.answer([row('a')])
  assert.deepEqual(await second, row('a'))
})

test('many keys asked for together are read together, and with those of others under way', async () => {
  const { load, loadMany, statements, keys } = byHand({ maxConcurrent: 1 })
  const found = [loadMany(['a', 'b', 'a']), loadMany(['c']), load('d')]
  assert.deepEqual(keys(), ['a b'])
  statements[0]?.answer([row('b')])
  assert.deepEqual(await found[0], [undefined, row('b'), undefined])
  await nextTick()
  assert.deepEqual(keys(), ['a b', 'c d'])
  statements[1]?.answer([row('d'), row('c')])
  assert.deepEqual(await Promise.all(found.slice(1)), [[row('c')], row('d')])
  assert.deepEqual(await loadMany([]), [])
})

test('a key that waits already is asked for once', async () => {
  const { load, statements, keys } = byHand({ maxConcurrent: 1 })
  const found = ['a', 'b', 'b'].map(load)
  statements[0]?.answer([row('a')])
  await nextTick()
  assert.deepEqual(keys(), ['a', 'b'])
  statements[1]?.answer([row('b')])
  assert.deepEqual(await Promise.all(found), [row('a'), row('b'), row('b')])
})

test('a statement that fails fails its own callers only, and the next one goes on', async () => {
  const { load, statements } = byHand({ maxConcurrent: 1 })
  const a = load('a')
  const b = load('b')
  statements[0]?.fail(new Error('lost'))
  await assert.rejects(a as Promise<unknown>, /lost/)
  await nextTick()
  statements[1]?.answer([row('b')])
  assert.deepEqual(await b, row('b'))
})

test('a slow statement holds up nobody but its own callers, and no statement takes more keys than it may', async () => {
  const { load, statements, keys } = byHand({ maxConcurrent: 2, maxKeys: 2 })
  void load('slow')
  const found = ['a', 'b', 'c', 'd'].map(load)
  statements[1]?.answer([row('a')])
  await nextTick()
  statements[2]?.answer([row('b'), row('c')])
  await nextTick()
  statements[3]?.answer([])
  assert.deepEqual(await Promise.all(found), [row('a'), row('b'), row('c'), undefined])
  assert.deepEqual(keys(), ['slow', 'a', 'b c', 'd'])
})
