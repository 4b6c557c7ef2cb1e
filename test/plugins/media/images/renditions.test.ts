// Not on a server: pictures are decoded, and stored as files.
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { UnavailableError } from '#core'
import { createLog } from '../../../../cli/log/json-log.ts'
import { createPictureSizes } from '../../../../plugins/media/images/picture-sizes.ts'
import { createRenditions } from '../../../../plugins/media/images/renditions.ts'
import type { Picture } from '../../../../plugins/media/pictures/decoding.ts'
import { PictureError } from '../../../../plugins/media/pictures/picture-error.ts'
import { createMediaStore } from '../../../../plugins/media/storage/media-store.ts'
import { createFileStore } from '../../../../plugins/storage/file/file-store.ts'
import { startService, type TestService } from '../../../helpers/service.ts'

const jpeg = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#17588f' } })
    .jpeg()
    .toBuffer()

describe('a narrower form of a picture', () => {
  let service: TestService
  let url: string
  before(async () => {
    service = await startService({ worker: false })
    const answer = await fetch(`${service.url}/api/images`, {
      method: 'POST',
      body: new Uint8Array(await jpeg(1300, 650)),
      headers: { authorization: `Bearer ${service.token}`, 'content-type': 'image/jpeg' }
    })
    url = (await answer.json()).url
  })
  after(() => service.close())
  const formOf = (width: number) => url.replace('.jpg', `-jpg-${width}.webp`)

  test('is made when it is asked for, and sent to be stored for a year', async () => {
    const answer = await fetch(formOf(480))
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'image/webp')
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    const { width, height, format } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    assert.deepEqual([width, height, format], [480, 240, 'webp'])
    const etag = answer.headers.get('etag') ?? ''
    const again = await fetch(formOf(480), { headers: { 'if-none-match': etag } })
    assert.deepEqual([again.status, again.headers.get('etag')], [304, etag])
  })

  test('is made once for all that ask at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => fetch(formOf(960), { redirect: 'manual' })))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    assert.equal(new Set(answers.map(({ headers }) => headers.get('etag'))).size, 1)
  })

  for (const [what, address] of [
    ['wider than the picture', () => formOf(1920)],
    ['of another width', () => formOf(481)],
    ['of a picture that is not there', () => `${service.url}/images/generated/${'0'.repeat(64)}-jpg-480.webp`],
    ['of a narrower form', () => formOf(480).replace('.webp', '-webp-480.webp')]
  ] as const)
    test(`is not there: one ${what}`, async () => assert.equal((await fetch(address())).status, 404))
})

describe('the smaller forms of a picture in the store', () => {
  const source = `${'a'.repeat(64)}.jpg`
  const form = source.replace('.jpg', '-jpg-480.webp')
  const log = createLog('silent')
  async function renditionsWith(make: () => Promise<Picture>) {
    const folder = createFileStore(mkdtempSync(path.join(tmpdir(), 'renditions-')), { setting: 'media_store' })
    const store = createMediaStore(() => folder)
    await store.putAs(`images/${source}`, await jpeg(1000, 500))
    const sizes = createPictureSizes({ store, log })
    return { store, renditions: createRenditions({ store, sizes, log, pictures: { make } }) }
  }
  const picture: Picture = { bytes: Buffer.from('made'), width: 480, height: 240, extension: 'webp' }

  test('go with the picture', async () => {
    const { store, renditions } = await renditionsWith(async () => picture)
    assert.deepEqual(await renditions.make(form), { source, isStored: true })
    await store.delete(`images/${source}`)
    await renditions.removeAll(source)
    assert.equal(await store.stat(`images/${form}`), null)
    assert.equal(await renditions.make(form), null)
  })

  test('are not left behind by a picture that goes while one is made', async () => {
    const { store, renditions } = await renditionsWith(async () => {
      await store.delete(`images/${source}`)
      await renditions.removeAll(source)
      return picture
    })
    assert.equal(await renditions.make(form), null)
    assert.equal(await store.stat(`images/${form}`), null)
  })

  test('wait while four are being made, and the picture itself has to do', async () => {
    const finished = Promise.withResolvers<Picture>()
    const begun = Promise.withResolvers<void>()
    let called = 0
    const { store, renditions } = await renditionsWith(() => {
      called += 1
      if (called === 4) begun.resolve()
      return finished.promise
    })
    const names = ['b', 'c', 'd', 'e'].map(letter => letter.repeat(64))
    for (const name of names) await store.putAs(`images/${name}.jpg`, await jpeg(1000, 500))
    const making = names.map(name => renditions.make(`${name}-jpg-480.webp`))
    await begun.promise
    assert.deepEqual(await renditions.make(form), { source, isStored: false })
    finished.resolve(picture)
    assert.deepEqual(await Promise.all(making.map(async each => (await each)?.isStored)), [true, true, true, true])
  })

  for (const [what, error, calls] of [
    ['for good where it cannot be decoded', new PictureError('VALIDATION_ERROR', 'is broken'), 1],
    ['for now where nothing can be made', new UnavailableError('Too many pictures wait.'), 2]
  ] as const)
    test(`are replaced by the picture, ${what}`, async () => {
      let called = 0
      const { renditions } = await renditionsWith(async () => {
        called += 1
        throw error
      })
      for (let times = 0; times < 2; times++) assert.deepEqual(await renditions.make(form), { source, isStored: false })
      assert.equal(called, calls)
    })
})
