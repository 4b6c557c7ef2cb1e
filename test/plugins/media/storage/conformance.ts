import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import type { MediaStore } from '../../../../plugins/media/storage/media-store.ts'

const bytes = Buffer.from('abcdefghij')
const sha256 = createHash('sha256').update(bytes).digest('hex')

async function* chunked(...chunks: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('half')
  throw new Error('the source broke off')
}

async function readAll(store: MediaStore, key: string, range?: { start: number; end: number }): Promise<string | null> {
  const file = await store.get(key)
  return file === null ? null : (await buffer(file.read(range))).toString()
}

async function keysOf(store: MediaStore, folder: 'images' | 'episodes'): Promise<string[]> {
  const keys: string[] = []
  for await (const key of store.list(folder)) keys.push(key)
  return keys.sort()
}

/** What every driver of the media store does. `create` makes an empty store. */
export function testMediaStore(name: string, create: () => Promise<MediaStore>): void {
  describe(`the media store ${name}`, () => {
    test('has nothing at first, in no folder', async () => {
      const store = await create()
      assert.deepEqual([await keysOf(store, 'images'), await keysOf(store, 'episodes')], [[], []])
      assert.deepEqual([await store.get('images/none.png'), await store.stat('images/none.png')], [null, null])
      await store.delete('images/none.png')
      assert.equal(await store.clean(), 0)
    })

    test('names a file by the hash of its bytes, and gives the bytes back', async () => {
      const store = await create()
      const put = await store.put('images', 'webp', bytes)
      assert.deepEqual([put.key, put.bytes], [`images/${sha256}.webp`, 10])
      assert.equal(await readAll(store, put.key), 'abcdefghij')
      assert.deepEqual(await store.stat(put.key), put)
      assert.deepEqual([await keysOf(store, 'images'), await keysOf(store, 'episodes')], [[put.key], []])
    })

    test('gives a range, both ends included', async () => {
      const store = await create()
      const { key } = await store.put('episodes', 'mp3', bytes)
      assert.equal(await readAll(store, key, { start: 2, end: 4 }), 'cde')
      assert.equal(await readAll(store, key, { start: 9, end: 9 }), 'j')
    })

    test('stores what comes in pieces as the same file, which stays as it was', async () => {
      const store = await create()
      const first = await store.put('images', 'png', bytes)
      assert.deepEqual(await store.put('images', 'png', chunked('abc', '', 'defghij')), first)
      assert.deepEqual(await keysOf(store, 'images'), [first.key])
    })

    test('stores an empty file', async () => {
      const store = await create()
      const { key, bytes: size } = await store.put('episodes', 'vtt', new Uint8Array())
      assert.deepEqual([size, await readAll(store, key)], [0, ''])
    })

    test('stores the same bytes for ten at once', async () => {
      const store = await create()
      const stored = await Promise.all(Array.from({ length: 10 }, () => store.put('images', 'png', bytes)))
      assert.deepEqual([...new Set(stored.map(({ key }) => key))], await keysOf(store, 'images'))
      assert.equal(await readAll(store, `images/${sha256}.png`), 'abcdefghij')
    })

    test('stores nothing of a content that breaks off', async () => {
      const store = await create()
      await assert.rejects(store.put('images', 'png', broken()), /the source broke off/)
      assert.deepEqual(await keysOf(store, 'images'), [])
    })

    test('deletes a file, for the second time too', async () => {
      const store = await create()
      const { key } = await store.put('images', 'png', bytes)
      await store.delete(key)
      await store.delete(key)
      assert.deepEqual([await store.get(key), await keysOf(store, 'images')], [null, []])
    })

    test('reads a file to its end that is deleted meanwhile', async () => {
      const store = await create()
      const { key } = await store.put('images', 'png', bytes)
      const file = await store.get(key)
      assert.ok(file !== null)
      await store.delete(key)
      assert.equal((await buffer(file.read())).toString(), 'abcdefghij')
    })

    test('closes a file that nobody reads', async () => {
      const store = await create()
      const { key } = await store.put('images', 'png', bytes)
      const file = await store.get(key)
      await file?.close()
      await file?.close()
    })

    test('has nothing under a key that no file can have, and deletes nothing', async () => {
      const store = await create()
      const { key } = await store.put('images', 'png', bytes)
      const strange = [
        ...['', 'images', 'images/', '/etc/passwd', 'other/a.png', 'images/../images/a.png', '../a.png'],
        ...['images/..%2fa.png', 'images/a.png\0', 'images/a.png/', 'images\\a.png', 'images/.hidden.png'],
        ...[`images/${'x'.repeat(300)}.png`, `./${key}`, `images//${sha256}.png`, `images/./${sha256}.png`]
      ]
      for (const each of strange) {
        assert.deepEqual([await store.get(each), await store.stat(each)], [null, null], each)
        await store.delete(each)
      }
      assert.deepEqual(await keysOf(store, 'images'), [key])
    })

    test('refuses an extension that would make another name', async () => {
      const store = await create()
      for (const extension of ['', '.png', 'png/x', '../x', 'PNG', 'toolong'])
        await assert.rejects(store.put('images', extension, bytes), TypeError, extension)
    })
  })
}
