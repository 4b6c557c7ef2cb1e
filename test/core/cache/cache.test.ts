import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createCache } from '../../../core/cache/cache.ts'
import { switchedChanges } from '../http/app-under-test.ts'

const open = () => {
  const changes = switchedChanges()
  return { changes, cache: createCache<string>({ changes, tags: ['posts'] }) }
}

describe('a cache', () => {
  it('makes a value once', async () => {
    const { cache } = open()
    let made = 0
    const make = async () => `value ${++made}`
    assert.deepEqual([await cache.load('a', make), await cache.load('a', make)], ['value 1', 'value 1'])
    assert.deepEqual([await cache.load('b', make), cache.get('b')], ['value 2', 'value 2'])
  })

  it('makes it once for all who ask at the same time', async () => {
    const { cache } = open()
    let made = 0
    const make = async () => `value ${++made}`
    assert.deepEqual(await Promise.all([cache.load('a', make), cache.load('a', make)]), ['value 1', 'value 1'])
  })

  it('makes it again after a change of its tag, and not after that of another', async () => {
    const { cache, changes } = open()
    await cache.load('a', async () => 'old')
    changes.drop('tasks')
    assert.equal(cache.get('a'), 'old')
    changes.drop('posts')
    assert.equal(await cache.load('a', async () => 'new'), 'new')
  })

  it('does not store what was read before a change and finished after it', async () => {
    const { cache, changes } = open()
    const read = Promise.withResolvers<string>()
    const first = cache.load('a', () => read.promise)
    changes.drop('posts')
    const second = cache.load('a', async () => 'new')
    read.resolve('old')
    assert.deepEqual([await first, await second, cache.get('a')], ['old', 'new', 'new'])
  })

  it('neither returns nor stores a value while a change could be unknown', async () => {
    const { cache, changes } = open()
    await cache.load('a', async () => 'old')
    changes.current = false
    assert.equal(cache.get('a'), undefined)
    assert.equal(await cache.load('a', async () => 'read through'), 'read through')
    changes.current = true
    assert.equal(cache.get('a'), 'old')
  })

  it('asks for the missing ones of many at once', async () => {
    const { cache } = open()
    await cache.load('a', async () => 'A')
    const asked: (readonly string[])[] = []
    const found = await cache.loadMany(['a', 'b', 'c', 'b'], async missing => {
      asked.push(missing)
      return new Map([['b', 'B']])
    })
    assert.deepEqual([asked, Object.fromEntries(found)], [[['b', 'c']], { a: 'A', b: 'B' }])
  })

  it('a failure is told to all who wait, and is not stored', async () => {
    const { cache } = open()
    const fail = () => Promise.reject(new Error('no'))
    const both = await Promise.allSettled([cache.load('a', fail), cache.load('a', fail)])
    assert.deepEqual(
      both.map(({ status }) => status),
      ['rejected', 'rejected']
    )
    assert.equal(await cache.load('a', async () => 'yes'), 'yes')
  })

  it('entries may have tags of their own', () => {
    const { cache, changes } = open()
    cache.begin(['tags'])('a', 'A')
    cache.begin()('b', 'B')
    changes.drop('tags')
    assert.deepEqual([cache.get('a'), cache.get('b')], [undefined, 'B'])
    cache.invalidate()
    assert.deepEqual([cache.get('b'), cache.size()], [undefined, { entries: 0, bytes: 0 }])
  })
})

describe('a full cache', () => {
  it('gives up what was not used', () => {
    const cache = createCache<number>({ maxEntries: () => 3 })
    const store = cache.begin()
    for (const [at, key] of ['a', 'b', 'c'].entries()) store(key, at)
    cache.get('a')
    store('d', 3)
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map(key => cache.get(key)),
      [0, undefined, 2, 3]
    )
  })

  it('counts memory, and takes no value that needs a quarter of it', () => {
    const cache = createCache<string>({ maxBytes: () => 100, bytesOf: value => value.length })
    const store = cache.begin()
    for (let at = 0; at < 30; at++) store(`key ${at}`, 'x'.repeat(20))
    store('large', 'x'.repeat(26))
    assert.deepEqual([cache.size(), cache.get('large')], [{ entries: 5, bytes: 100 }, undefined])
  })

  it('measures a value again that grew', () => {
    const cache = createCache<{ bytes: number }>({ maxBytes: () => 100, bytesOf: ({ bytes }) => bytes })
    const value = { bytes: 1 }
    cache.begin()('a', value)
    value.bytes = 20
    cache.measure('a')
    assert.deepEqual(cache.size(), { entries: 1, bytes: 20 })
    cache.delete('a')
    assert.deepEqual(cache.size(), { entries: 0, bytes: 0 })
  })
})
