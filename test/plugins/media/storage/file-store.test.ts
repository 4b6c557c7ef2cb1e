import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { createFileStore } from '../../../../plugins/media/storage/file-store.ts'
import { testMediaStore } from './conformance.ts'

const folders: string[] = []
const emptyFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-media-'))
  folders.push(folder)
  return folder
}
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

testMediaStore('file:', async () => createFileStore(path.join(emptyFolder(), 'media')))

const bytes = Buffer.from('abcdefghij')

test('follows no link, neither of a file nor of a folder', async () => {
  const root = emptyFolder()
  const elsewhere = emptyFolder()
  writeFileSync(path.join(elsewhere, 'secret.png'), 'secret')
  mkdirSync(path.join(root, 'images'))
  symlinkSync(path.join(elsewhere, 'secret.png'), path.join(root, 'images/link.png'))
  symlinkSync(elsewhere, path.join(root, 'episodes'))
  const store = createFileStore(root)
  assert.equal(await store.get('images/link.png'), null)
  await assert.rejects(store.put('episodes', 'mp3', bytes), { code: 'SERVICE_UNAVAILABLE', message: /is a link/ })
  assert.deepEqual(readdirSync(elsewhere), ['secret.png'])
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
  const store = createFileStore(root)
  assert.equal(await store.clean(), 1)
  assert.deepEqual(readdirSync(images).sort(), [
    '.galley-4f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d.tmp',
    '.keep',
    'cover.png'
  ])
})

test('leaves nothing beside the files, whether they were stored or not', async () => {
  const root = emptyFolder()
  const store = createFileStore(root)
  const { key } = await store.put('images', 'png', bytes)
  await store.put('images', 'png', bytes)
  async function* broken() {
    yield bytes
    throw new Error('the source broke off')
  }
  await assert.rejects(store.put('images', 'png', broken()), /broke off/)
  assert.deepEqual(readdirSync(path.join(root, 'images')), [path.basename(key)])
})

test('names the folder and what to do when it cannot be used, and leaves nothing behind', async () => {
  const root = emptyFolder()
  writeFileSync(path.join(root, 'images'), 'a file where the folder should be')
  const store = createFileStore(root)
  await assert.rejects(store.put('images', 'png', bytes), {
    code: 'SERVICE_UNAVAILABLE',
    message: `The media folder ${root} cannot be used (EEXIST in mkdir): check its permissions and space, or set media_store.`
  })
  assert.deepEqual(readdirSync(root), ['images'])
})
