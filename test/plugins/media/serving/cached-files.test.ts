import assert from 'node:assert/strict'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { type CachedFiles, createCachedFiles } from '../../../../plugins/media/serving/cached-files.ts'
import { createMediaStore, type MediaStore } from '../../../../plugins/media/storage/media-store.ts'
import { createFileStore } from '../../../../plugins/storage/file/file-store.ts'
import { until } from '../../../helpers/until.ts'

let root: string
let store: MediaStore
let reads: number
let stats: number
let now: number
let files: CachedFiles
before(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'galley-cached-files-'))
  await mkdir(path.join(root, 'episodes'))
})
after(() => rmSync(root, { recursive: true }))
beforeEach(() => {
  reads = stats = now = 0
  const folder = createFileStore(root, { setting: 'media_store' })
  const own = createMediaStore(() => folder)
  store = {
    ...own,
    get: key => {
      reads += 1
      return own.get(key)
    },
    stat: key => {
      stats += 1
      return own.stat(key)
    }
  }
  files = createCachedFiles(store, { maxBytes: 160, now: () => now })
})

const key = 'episodes/a.mp3'
function write(text: string, name = 'a.mp3'): void {
  writeFileSync(path.join(root, 'draft'), text)
  renameSync(path.join(root, 'draft'), path.join(root, 'episodes', name))
}
/** What a reader gets, and whether it came from memory. */
async function read(of = key): Promise<[text: string, isCached: boolean] | null> {
  const served = await files.open(of)
  if (served === null) return null
  if (served.content !== null) return [served.content.toString(), true]
  const pieces = await served.file.read().toArray()
  return [Buffer.concat(pieces).toString(), false]
}
/** Asks until it comes from memory. */
const readIntoMemory = (of = key) =>
  until(async () => {
    now += 100
    return (await read(of))?.[1] === true
  })

test('what is asked for again comes from memory, and the disk is left alone', async () => {
  write('first')
  assert.deepEqual(await read(), ['first', false])
  await readIntoMemory()
  const before = reads
  for (let n = 0; n < 10; n += 1) assert.deepEqual(await read(), ['first', true])
  assert.equal(reads, before)
})

test('a file that is replaced or removed is noticed within a second', async () => {
  write('first')
  await readIntoMemory()
  write('other')
  now += 999
  const asked = stats
  now += 2
  assert.deepEqual(await read(), ['other', false])
  assert.equal(stats, asked + 1)
  await readIntoMemory()
  rmSync(path.join(root, key))
  now += 1001
  assert.equal(await read(), null)
})

test('memory is bounded: a large file stays on the disk, and old ones make room', async () => {
  write('x'.repeat(41), 'large.mp3')
  for (let n = 0; n < 20; n += 1) {
    now += 100
    assert.equal((await read('episodes/large.mp3'))?.[1], false)
  }
  for (const name of ['b', 'c', 'd', 'e', 'f']) {
    write(name.repeat(40), `${name}.mp3`)
    await readIntoMemory(`episodes/${name}.mp3`)
  }
  const inMemory = []
  for (const name of ['b', 'c', 'd', 'e', 'f'])
    if ((await files.open(`episodes/${name}.mp3`))?.content !== null) inMemory.push(name)
  assert.equal(inMemory.length, 4)
  assert.equal((await read('episodes/f.mp3'))?.[1], true)
})

test('the same key of another store is another file', async () => {
  let name = 'one'
  files = createCachedFiles(store, { now: () => now, storeName: () => name })
  write('first')
  await readIntoMemory()
  write('other')
  name = 'two'
  assert.deepEqual(await read(), ['other', false])
})

/** What can be sent at once. */
const readyText = async (): Promise<string | undefined> => {
  const ready = files.ready(key)
  if (ready === undefined || ready.content !== null) return ready?.content.toString()
  const { body, onSent } = ready.read({ start: 0, end: 4 })
  const bytes = typeof body === 'function' ? await body() : body
  const text = bytes?.toString()
  onSent?.()
  return text
}

test('a file that is too large for memory stays open, and parts of it are read at once', async () => {
  files = createCachedFiles(store, { maxBytes: 4, now: () => now })
  write('first')
  await read()
  assert.equal(files.ready(key), undefined)
  await read()
  await until(async () => (await readyText()) === 'first')
  const before = reads
  for (let n = 0; n < 10; n += 1) assert.equal(await readyText(), 'first')
  assert.equal(reads, before)
  now += 1001
  assert.equal(files.ready(key), undefined)
  await read()
  assert.equal(await readyText(), 'first')
})

test('what is in memory or open is not sent any more once the file is replaced', async () => {
  for (const maxBytes of [160, 4]) {
    files = createCachedFiles(store, { maxBytes, now: () => now })
    write('first')
    await until(async () => {
      await read()
      return (await readyText()) === 'first'
    })
    write('other')
    now += 1001
    assert.equal(files.ready(key), undefined)
    assert.deepEqual(await read(), ['other', false])
    assert.notEqual(await readyText(), 'first')
  }
})

test('a file that is replaced while it is read ahead is not taken for a fresh one', async () => {
  for (const maxBytes of [160, 4]) {
    now = 0
    write('first')
    let gets = 0
    let closed = 0
    const slow = {
      ...store,
      async get(of: string) {
        const file = await store.get(of)
        gets += 1
        // The first two are the readers' own.
        if (file === null || gets <= 2) return file
        now = 1001
        const close = async () => {
          await file.close()
          closed += 1
        }
        return { ...file, close }
      }
    }
    files = createCachedFiles(slow, { maxBytes, now: () => now })
    await read()
    await read()
    // The larger memory has it read, the smaller one has it opened only.
    await until(() => (maxBytes === 160 ? closed === 1 : gets === 3))
    assert.equal(files.ready(key), undefined)
    now = 0
    assert.equal(await readyText(), 'first')
  }
})

test('parts that are read at once do not share their memory', async () => {
  files = createCachedFiles(store, { maxBytes: 4, now: () => now })
  write('first')
  await read()
  await read()
  await until(async () => files.ready(key) !== undefined)
  const bodies = [0, 1, 2].map(start => files.ready(key)?.read?.({ start, end: start + 1 }))
  const texts = await Promise.all(bodies.map(async part => (typeof part?.body === 'function' ? part.body() : null)))
  assert.deepEqual(texts.map(String), ['fi', 'ir', 'rs'])
})
