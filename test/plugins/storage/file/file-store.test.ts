import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, mock, test } from 'node:test'
import { createFileStore } from '../../../../plugins/storage/file/file-store.ts'
import { createWriteThread, type WriteThread } from '../../../../plugins/storage/file/write-thread.ts'
import { testStore } from '../conformance.ts'

const folders: string[] = []
const emptyFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-store-'))
  folders.push(folder)
  return folder
}
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const options = { setting: 'files_at' }
testStore('file:', async () => createFileStore(path.join(emptyFolder(), 'files'), options))

/** As an export of thousands of files has it, from the first one on and whatever the disk. It must take each of them. */
function takingThread(): WriteThread {
  const thread = createWriteThread({ startsAfter: 0, slowMs: Number.POSITIVE_INFINITY })
  return {
    async write(file) {
      const result = await thread.write(file)
      assert.notEqual(result, null, 'by the thread')
      return result
    }
  }
}
const byThread = (root: string) => createFileStore(root, options, takingThread())
const small = { isDurable: false }
const bytes = Buffer.from('abcdefghij')

describe('small files that a thread writes', () => {
  test('are what they were told, many at once, and replace what was there', async () => {
    const root = emptyFolder()
    const store = byThread(root)
    const keys = Array.from({ length: 50 }, (_, n) => `posts/${n}/index.html`)
    for (const text of ['first', 'another text'])
      for (const put of await Promise.all(keys.map(key => store.put(key, Buffer.from(`${text} of ${key}`), small)))) {
        const { key, bytes, etag } = (await store.stat(put.key)) ?? {}
        const written = readFileSync(path.join(root, put.key), 'utf8')
        assert.deepEqual({ key, bytes, etag, sha256: hash('sha256', written) }, put)
        assert.equal(written, `${text} of ${put.key}`)
      }
    assert.deepEqual(readdirSync(path.join(root, 'posts/7')), ['index.html'])
  })

  test('replace no link, and nothing where they may not: beside them nothing is left', async () => {
    const root = emptyFolder()
    writeFileSync(path.join(root, 'mine.json'), 'mine')
    symlinkSync('mine.json', path.join(root, 'link.json'))
    const store = byThread(root)
    await assert.rejects(store.put('link.json', bytes, small), { code: 'SERVICE_UNAVAILABLE', message: /is a link/ })
    await assert.rejects(store.put('mine.json', bytes, { ...small, ifMatch: null }), { code: 'CONFLICT' })
    await store.put('new.json', bytes, { ...small, ifMatch: null })
    assert.deepEqual(readdirSync(root).sort(), ['link.json', 'mine.json', 'new.json'])
    assert.equal(readFileSync(path.join(root, 'mine.json'), 'utf8'), 'mine')
  })

  test('are texts or bytes, and the answer counts bytes', async () => {
    const root = emptyFolder()
    const store = byThread(root)
    for (const content of ['größe', Buffer.from('größe')]) {
      assert.equal((await store.put('a.txt', content, small)).bytes, 7)
      assert.equal(readFileSync(path.join(root, 'a.txt'), 'utf8'), 'größe')
    }
  })

  test('go into no folder behind a link, and into one that was removed meanwhile', async () => {
    const root = emptyFolder()
    const elsewhere = emptyFolder()
    const store = byThread(root)
    await store.put('posts/1/a.json', bytes, small)
    rmSync(path.join(root, 'posts'), { recursive: true })
    await store.put('posts/1/a.json', bytes, small)
    rmSync(path.join(root, 'posts/1'), { recursive: true })
    symlinkSync(elsewhere, path.join(root, 'posts/1'))
    await assert.rejects(store.put('posts/1/a.json', bytes, small), {
      code: 'SERVICE_UNAVAILABLE',
      message: /posts\/1 .*is a link/
    })
    assert.deepEqual(readdirSync(elsewhere), [])
  })

  test('name the folder and the cause when they cannot be written, and are written once they can', async () => {
    const root = emptyFolder()
    const store = byThread(root)
    writeFileSync(path.join(root, 'posts'), 'a file in the place of the folder')
    await assert.rejects(store.put('posts/b.json', bytes, small), {
      code: 'SERVICE_UNAVAILABLE',
      message: `The folder ${root} cannot be used (EEXIST in mkdir): check its permissions and space, or set files_at.`
    })
    rmSync(path.join(root, 'posts'))
    await store.put('posts/b.json', bytes, small)
    assert.deepEqual(readdirSync(path.join(root, 'posts')), ['b.json'])
  })

  test('fail by themselves: those of another store beside them are written', async () => {
    const root = emptyFolder()
    const other = emptyFolder()
    const thread = takingThread()
    const [store, neighbour] = [root, other].map(folder => createFileStore(folder, options, thread))
    assert.ok(store && neighbour)
    await store.put('a/b/first.json', bytes, small)
    rmSync(path.join(root, 'a/b'), { recursive: true })
    writeFileSync(path.join(root, 'a/b'), 'a file in the place of the folder')
    const keys = Array.from({ length: 1200 }, (_, n) => `posts/${n}.json`)
    const [failed, ...written] = await Promise.allSettled([
      store.put('a/b/second.json', bytes, small),
      ...keys.map(key => neighbour.put(key, bytes, small))
    ])
    assert.match(String(failed.status === 'rejected' && failed.reason), /EEXIST in mkdir/)
    assert.deepEqual([...new Set(written.map(({ status }) => status))], ['fulfilled'])
    assert.equal(readdirSync(path.join(other, 'posts')).length, keys.length)
  })

  test('are left to the slower way while their disk is slow, and before there are many', async () => {
    const root = emptyFolder()
    const taken: boolean[] = []
    const thread = createWriteThread({ startsAfter: 2, slowMs: 0 })
    const store = createFileStore(root, options, {
      async write(file) {
        const result = await thread.write(file)
        taken.push(result !== null)
        return result
      }
    })
    for (let n = 0; n < 12; n++) await store.put(`${n}.json`, bytes, small)
    // Two before there are many, eight that are judged, and the others while it rests.
    assert.deepEqual(taken, [...Array(2).fill(false), ...Array(8).fill(true), ...Array(2).fill(false)])
    assert.equal(readdirSync(root).length, 12)
  })

  test('are private or public as the store is, and the bytes stay the caller’s', async () => {
    for (const [isPublic, mode] of [
      [true, 0o644],
      [false, 0o600]
    ] as const) {
      const root = emptyFolder()
      const store = createFileStore(root, { ...options, isPublic }, takingThread())
      const own = Buffer.from('abcdefghij')
      await store.put('a.json', own, small)
      assert.equal(own.toString(), 'abcdefghij')
      assert.equal(statSync(path.join(root, 'a.json')).mode & 0o777, mode)
    }
  })
})

test('follows no link, neither of a file nor of a folder', async () => {
  const root = emptyFolder()
  const elsewhere = emptyFolder()
  writeFileSync(path.join(elsewhere, 'secret.png'), 'secret')
  mkdirSync(path.join(root, 'images'))
  symlinkSync(path.join(elsewhere, 'secret.png'), path.join(root, 'images/link.png'))
  symlinkSync(elsewhere, path.join(root, 'episodes'))
  const store = createFileStore(root, options)
  assert.equal(await store.get('images/link.png'), null)
  await assert.rejects(store.put({ folder: 'episodes', extension: 'mp3' }, bytes), {
    code: 'SERVICE_UNAVAILABLE',
    message: /is a link/
  })
  assert.deepEqual(readdirSync(elsewhere), ['secret.png'])
})

test('a file that is cut while it is read is an error, not a shorter file', async () => {
  const root = emptyFolder()
  const file = path.join(root, 'film.mp4')
  writeFileSync(file, Buffer.alloc(1_000_000))
  const opened = await createFileStore(root, options).get('film.mp4')
  const readToItsEnd = async () => {
    for await (const _ of opened?.read({ start: 10, end: 999_999 }) ?? []) truncateSync(file, 200_000)
  }
  await assert.rejects(readToItsEnd(), { code: 'SERVICE_UNAVAILABLE', message: /was cut while it was read/ })
})

test('a file that may not be read is listed, and none beside it is held up', async t => {
  const root = emptyFolder()
  for (const name of ['a.mp3', 'b.mp3']) writeFileSync(path.join(root, name), 'abc')
  const refused = () => Promise.reject(Object.assign(new Error('permission denied'), { code: 'EACCES' }))
  const mocked = mock.method(promises, 'open', refused)
  syncBuiltinESMExports()
  t.after(() => {
    mocked.mock.restore()
    syncBuiltinESMExports()
  })
  const store = createFileStore(root, options)
  assert.deepEqual([(await store.stat('a.mp3'))?.bytes, (await store.stat('b.mp3'))?.bytes], [3, 3])
  await assert.rejects(store.get('a.mp3'), { code: 'EACCES' })
})

test('removes what a killed process left half-written, and nothing that is being written', async () => {
  const root = emptyFolder()
  const images = path.join(root, 'images')
  mkdirSync(images)
  const left = path.join(images, '.galley-3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d.tmp')
  const current = path.join(images, '.galley-4f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d.tmp')
  for (const file of [left, current, path.join(images, '.keep'), path.join(images, 'cover.png')])
    writeFileSync(file, 'half')
  utimesSync(left, 0, 0)
  utimesSync(path.join(images, '.keep'), 0, 0)
  const store = createFileStore(root, options)
  assert.equal(await store.clean('images/'), 1)
  assert.deepEqual(readdirSync(images).sort(), [
    '.galley-4f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d.tmp',
    '.keep',
    'cover.png'
  ])
})

test('leaves nothing beside the files, whether they were stored or not', async () => {
  const root = emptyFolder()
  const store = createFileStore(root, options)
  const { key } = await store.put({ folder: 'images', extension: 'png' }, bytes)
  await store.put({ folder: 'images', extension: 'png' }, bytes)
  async function* broken() {
    yield bytes
    throw new Error('the source broke off')
  }
  await assert.rejects(store.put({ folder: 'images', extension: 'png' }, broken()), /broke off/)
  assert.deepEqual(readdirSync(path.join(root, 'images')), [path.basename(key)])
})

test('names the folder and what to do when it cannot be used, and leaves nothing behind', async () => {
  const root = emptyFolder()
  writeFileSync(path.join(root, 'images'), 'a file where the folder should be')
  const store = createFileStore(root, options)
  await assert.rejects(store.put({ folder: 'images', extension: 'png' }, bytes), {
    code: 'SERVICE_UNAVAILABLE',
    message: `The folder ${root} cannot be used (EEXIST in mkdir): check its permissions and space, or set files_at.`
  })
  assert.deepEqual(readdirSync(root), ['images'])
})

test('lets other users of the machine read what is for them, and nothing else', async () => {
  for (const isPublic of [true, false]) {
    const root = path.join(emptyFolder(), 'store')
    const { key } = await createFileStore(root, { setting: 'files_at', isPublic }).put('posts/a.json', bytes)
    const others = [root, path.join(root, 'posts'), path.join(root, key)].map(file => statSync(file).mode & 0o004)
    assert.deepEqual(others, isPublic ? [4, 4, 4] : [0, 0, 0])
  }
})

test('replaces the file it was told of, and no other', async () => {
  const store = createFileStore(emptyFolder(), options)
  const { etag } = await store.put('manifest.json', bytes, { ifMatch: null })
  await assert.rejects(store.put('manifest.json', bytes, { ifMatch: null }), { code: 'CONFLICT' })
  await store.put('manifest.json', Buffer.from('new'), { ifMatch: etag })
  await assert.rejects(store.put('manifest.json', bytes, { ifMatch: etag }), { code: 'CONFLICT' })
})

test('a public folder is gone with its last file, and no file is lost to that: many are put and deleted at once', async () => {
  const root = emptyFolder()
  const store = createFileStore(root, { ...options, isPublic: true })
  await store.put('tags/moon/2026/index.html', bytes)
  await store.put('tags/sea/index.html', bytes)
  await store.delete('tags/moon/2026/index.html')
  assert.deepEqual(readdirSync(path.join(root, 'tags')), ['sea'])
  for (const isDurable of [true, false]) {
    const one = createFileStore(root, { ...options, isPublic: true }, isDurable ? undefined : takingThread())
    let last = 'posts/one/0.html'
    await one.put(last, bytes, { isDurable })
    for (let n = 1; n < 200; n++) {
      const next = `posts/one/${n}.html`
      await Promise.all([store.delete(last), one.put(next, bytes, { isDurable })])
      last = next
    }
    assert.deepEqual(readFileSync(path.join(root, last)), bytes)
    await store.delete(last)
    assert.deepEqual(readdirSync(root), ['tags'])
  }
  await createFileStore(root, options).put('private/a', bytes)
  await createFileStore(root, options).delete('private/a')
  assert.deepEqual(readdirSync(path.join(root, 'private')), [])
})
