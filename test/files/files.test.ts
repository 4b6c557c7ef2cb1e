import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { UnavailableError } from '#core'
import { createFolderGuard, folderFault, isTemporaryName, syncFolder, temporaryName } from '#files'
import { makeFolders, makeFoldersSync } from '../../files/make-folders.ts'

const folder = { name: 'The media folder /srv/media', setting: 'media_dir' }

test('a fault of the file system says what to check, and keeps its cause', async () => {
  const guarded = createFolderGuard(folder)(() => readdir('/proc/no-such-folder'))
  await assert.rejects(guarded(), (error: unknown) => {
    assert.ok(error instanceof UnavailableError)
    assert.equal(
      error.message,
      'The media folder /srv/media cannot be used (ENOENT in scandir): check its permissions and space, or set media_dir.'
    )
    assert.equal(Object(error.cause).code, 'ENOENT')
    return true
  })
})

test('other errors pass the guard unchanged, and so does a result', async () => {
  const other = new RangeError('too many')
  assert.equal(folderFault(folder, other), other)
  assert.equal(folderFault(folder, 'a text'), 'a text')
  const double = createFolderGuard(folder)(async (number: number) => number * 2)
  assert.equal(await double(21), 42)
})

test('an unfinished file is told from all others by its name', () => {
  assert.notEqual(temporaryName(), temporaryName())
  assert.ok(isTemporaryName(temporaryName()))
  for (const name of ['.galley-.tmp', `a${temporaryName()}`, `${temporaryName()}.tmp`, 'episode.mp3', ''])
    assert.equal(isTemporaryName(name), false, name)
})

test('a folder is synced, and one that is gone is an error', async t => {
  const made = await mkdtemp(path.join(tmpdir(), 'galley-files-'))
  t.after(() => rm(made, { recursive: true, force: true }))
  await writeFile(path.join(made, 'a'), 'b')
  await syncFolder(made)
  await assert.rejects(syncFolder(path.join(made, 'none')), { code: 'ENOENT' })
})

test('folders are made with those they are in, and where there can be none, that is an error', async t => {
  const root = await mkdtemp(path.join(tmpdir(), 'galley-files-'))
  t.after(() => rm(root, { recursive: true }))
  for (const make of [makeFolders, async (folder: string) => makeFoldersSync(folder)]) {
    const folder = path.join(root, make.name, 'a', 'b')
    await make(folder)
    await make(folder)
    await writeFile(path.join(folder, 'file'), '')
    await assert.rejects(make(path.join(folder, 'file')), { code: 'EEXIST' })
    await assert.rejects(make(path.join(folder, 'file', 'c')), { code: 'ENOTDIR' })
    // It is told that the file system of processes lacks what it is to make.
    await assert.rejects(make('/proc/galley/a'), /ENOENT|EACCES|EPERM|EROFS/)
  }
})
