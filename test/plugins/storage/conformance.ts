import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import type { FileStore, WrittenFile } from '../../../plugins/storage/index.ts'

const bytes = Buffer.from('abcdefghij')
const sha256 = createHash('sha256').update(bytes).digest('hex')

async function* chunked(...chunks: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('half')
  throw new Error('the source broke off')
}

async function readAll(store: FileStore, key: string, range?: { start: number; end: number }): Promise<string | null> {
  const file = await store.get(key)
  return file === null ? null : (await buffer(file.read(range))).toString()
}

async function factsOf(store: FileStore, key: string): Promise<WrittenFile | null> {
  const file = await store.stat(key)
  return file === null ? null : { key: file.key, bytes: file.bytes, etag: file.etag }
}

async function keysOf(store: FileStore, folder = ''): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of store.list(folder === '' ? '' : `${folder}/`)) keys.push(key)
  return keys.sort()
}

/** What every driver does. `create` makes an empty store. */
export function testStore(name: string, create: () => Promise<FileStore>): void {
  describe(`the store ${name}`, () => {
    test('has nothing at first, in no folder', async () => {
      const store = await create()
      assert.deepEqual([await keysOf(store, 'images'), await keysOf(store, 'episodes')], [[], []])
      assert.deepEqual([await store.get('images/none.png'), await store.stat('images/none.png')], [null, null])
      await store.delete('images/none.png')
      assert.equal(await store.clean(''), 0)
    })

    test('names a file by the hash of its bytes, and gives the bytes back', async () => {
      const store = await create()
      const put = await store.put({ folder: 'images', extension: 'webp' }, bytes)
      assert.deepEqual([put.key, put.bytes], [`images/${sha256}.webp`, 10])
      assert.equal(await readAll(store, put.key), 'abcdefghij')
      assert.deepEqual(await factsOf(store, put.key), put)
      assert.deepEqual([await keysOf(store, 'images'), await keysOf(store, 'episodes')], [[put.key], []])
    })

    test('gives a range, both ends included', async () => {
      const store = await create()
      const { key } = await store.put({ folder: 'episodes', extension: 'mp3' }, bytes)
      assert.equal(await readAll(store, key, { start: 2, end: 4 }), 'cde')
      assert.equal(await readAll(store, key, { start: 9, end: 9 }), 'j')
    })

    test('stores what comes in pieces as the same file, which stays as it was', async () => {
      const store = await create()
      const first = await store.put({ folder: 'images', extension: 'png' }, bytes)
      assert.deepEqual(await store.put({ folder: 'images', extension: 'png' }, chunked('abc', '', 'defghij')), first)
      assert.deepEqual(await keysOf(store, 'images'), [first.key])
    })

    test('stores an empty file', async () => {
      const store = await create()
      const { key, bytes: size } = await store.put({ folder: 'episodes', extension: 'vtt' }, new Uint8Array())
      assert.deepEqual([size, await readAll(store, key)], [0, ''])
    })

    test('stores the same bytes for ten at once', async () => {
      const store = await create()
      const stored = await Promise.all(
        Array.from({ length: 10 }, () => store.put({ folder: 'images', extension: 'png' }, bytes))
      )
      assert.deepEqual([...new Set(stored.map(({ key }) => key))], await keysOf(store, 'images'))
      assert.equal(await readAll(store, `images/${sha256}.png`), 'abcdefghij')
    })

    test('stores nothing of a content that breaks off', async () => {
      const store = await create()
      await assert.rejects(store.put({ folder: 'images', extension: 'png' }, broken()), /the source broke off/)
      assert.deepEqual(await keysOf(store, 'images'), [])
    })

    test('deletes a file, for the second time too', async () => {
      const store = await create()
      const { key } = await store.put({ folder: 'images', extension: 'png' }, bytes)
      await store.delete(key)
      await store.delete(key)
      assert.deepEqual([await store.get(key), await keysOf(store, 'images')], [null, []])
    })

    test('reads a file to its end that is deleted meanwhile', async () => {
      const store = await create()
      const { key } = await store.put({ folder: 'images', extension: 'png' }, bytes)
      const file = await store.get(key)
      assert.ok(file !== null)
      await store.delete(key)
      assert.equal((await buffer(file.read())).toString(), 'abcdefghij')
    })

    test('closes a file that nobody reads', async () => {
      const store = await create()
      const { key } = await store.put({ folder: 'images', extension: 'png' }, bytes)
      const file = await store.get(key)
      await file?.close()
      await file?.close()
    })

    test('has nothing under a key that no file can have, and deletes nothing', async () => {
      const store = await create()
      const { key } = await store.put({ folder: 'images', extension: 'png' }, bytes)
      const strange = [
        '',
        'images',
        'images/',
        '/etc/passwd',
        'other/a.png',
        'images/../images/a.png',
        '../a.png',
        '.',
        '..',
        'images/..%2fa.png',
        'images/a.png\0',
        'images/a.png/',
        'images\\a.png',
        'images/...',
        'a b',
        'é',
        `images/${'x'.repeat(300)}.png`,
        `./${key}`,
        `images//${sha256}.png`,
        `images/./${sha256}.png`
      ]
      for (const each of strange) {
        assert.deepEqual([await store.get(each), await store.stat(each)], [null, null], each)
        await store.delete(each)
      }
      assert.deepEqual(await keysOf(store, 'images'), [key])
    })

    test('replaces the file of a key, which then has another ETag', async () => {
      const store = await create()
      const first = await store.put('posts/tides.json', bytes, { type: 'application/json', isDurable: false })
      assert.equal(first.key, 'posts/tides.json')
      const second = await store.put('posts/tides.json', Buffer.from('jihgfedcba'))
      assert.notEqual(second.etag, first.etag)
      assert.deepEqual(await factsOf(store, 'posts/tides.json'), second)
      assert.equal(await readAll(store, 'posts/tides.json'), 'jihgfedcba')
    })

    test('lists all files below a prefix, with their sizes', async () => {
      const store = await create()
      for (const key of ['a.json', 'posts/a.json', 'posts/a/index.html', 'posts-b/a.json', '.galley-export'])
        await store.put(key, bytes)
      assert.deepEqual(await keysOf(store), [
        '.galley-export',
        'a.json',
        'posts-b/a.json',
        'posts/a.json',
        'posts/a/index.html'
      ])
      assert.deepEqual(await keysOf(store, 'posts'), ['posts/a.json', 'posts/a/index.html'])
      for await (const file of store.list('posts/')) {
        assert.equal(file.bytes, 10)
        assert.ok(file.etag === null || file.etag === (await store.stat(file.key))?.etag)
      }
    })

    test('gives large files and ranges of them back as they were', async () => {
      const store = await create()
      const large = Buffer.alloc(300_000, bytes)
      const { key } = await store.put({ folder: 'episodes', extension: 'mp4' }, large)
      assert.equal((await readAll(store, key))?.length, 300_000)
      assert.equal(await readAll(store, key, { start: 150_000, end: 150_009 }), 'abcdefghij')
      const file = await store.get(key)
      assert.equal((await file?.readRange({ start: 299_990, end: 299_999 }))?.toString(), 'abcdefghij')
      await file?.close()
    })

    for (const length of [0, 10, 300_000])
      test(`gives a file of ${length} bytes to who wants all of it`, async () => {
        const store = await create()
        const { key, etag } = await store.put('lists/all.json', Buffer.alloc(length, bytes))
        const file = await store.get(key, { isWhole: true })
        assert.deepEqual([file?.bytes, file?.etag], [length, etag])
        const end = length - 1
        if (length > 0) assert.equal((await file?.readRange({ start: 0, end }))?.length, length)
        await file?.close()
        assert.equal(await store.get('lists/none.json', { isWhole: true }), null)
      })

    test('refuses what is no key', async () => {
      const store = await create()
      for (const key of ['', '/a', 'a/', '../a', 'a/../b', 'a//b', 'a b', 'ä', '.', 'a\\b', `a/${'x'.repeat(300)}`])
        await assert.rejects(store.put(key, bytes), TypeError, key)
      assert.deepEqual(await keysOf(store), [])
    })

    test('refuses an extension that would make another name', async () => {
      const store = await create()
      for (const extension of ['', '.png', 'png/x', '../x', 'PNG', 'toolong'])
        await assert.rejects(store.put({ folder: 'images', extension }, bytes), TypeError, extension)
    })
  })
}
