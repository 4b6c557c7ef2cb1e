import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Files, notesOf, useImports } from './importing.ts'

const { folderOf, importFolder, slugsOf } = useImports()

/** A post with a date that has passed. */
const dated = (fields: string, text = 'Text.') => `---\ntitle: T\ndate: 2020-01-01\n${fields}\n---\n${text}`

/** What becomes public of a folder, by slugs, and the notes of the files. */
async function importedOf(files: Files) {
  const report = await importFolder(folderOf(files))
  return { published: (await slugsOf('published')).sort(), notes: (name: string) => notesOf(report, name) }
}

test('a draft is a draft in whatever words it says so', async () => {
  const flags = ['draft: yes', 'draft: On', 'draft: "y"', 'published: no', 'published: Off', 'published: "NO"']
  const files = flags.map((flag, index) => [`d${index}.md`, dated(flag)])
  const { published, notes } = await importedOf({
    ...Object.fromEntries(files),
    'shown.md': dated('draft: off\npublished: Yes'),
    'empty.md': dated('draft:\npublished: ""'),
    'maybe.md': dated('draft: maybe'),
    'list.md': dated('published: [no]')
  })
  assert.deepEqual(published, ['empty', 'shown'])
  assert.deepEqual(notes('maybe.md'), ['its draft is "maybe", neither true nor false, so it is a draft'])
  assert.deepEqual(notes('list.md'), ['its published is ["no"], neither true nor false, so it is a draft'])
})

test('a post that waits for its day or has expired is a draft', async () => {
  const { published, notes } = await importedOf({
    'waits.md': dated('publishDate: 2999-01-01'),
    'expired.md': dated('expiryDate: 2021-01-01'),
    'withdrawn.md': dated('unpublishdate: 2021-01-01'),
    'unclear.md': dated('expiryDate: some day'),
    'expires.md': dated('expiryDate: 2999-01-01\npublishDate: 2019-01-01')
  })
  assert.deepEqual(published, ['expires'])
  assert.deepEqual(notes('waits.md'), ['its date has not come, so it is a draft'])
  assert.deepEqual(notes('expired.md'), ['it has expired, so it is a draft'])
  assert.deepEqual(notes('withdrawn.md'), ['it has expired, so it is a draft'])
  assert.deepEqual(notes('unclear.md'), ['"some day" is no date, so it is a draft'])
  assert.deepEqual(notes('expires.md'), ['it expires on "2999-01-01": unpublish it then'])
})

test('a post that had no page is a draft', async () => {
  const { published, notes } = await importedOf({
    'never.md': dated('build:\n  render: never'),
    'link.md': dated('_build: {Render: link}'),
    'headless.md': dated('headless: true'),
    'no-address.md': dated('permalink: false'),
    'unlisted.md': dated('build: {list: never, render: always}'),
    'uncollected.md': dated('eleventyExcludeFromCollections: true')
  })
  assert.deepEqual(published, ['uncollected', 'unlisted'])
  for (const name of ['never.md', 'link.md', 'headless.md', 'no-address.md'])
    assert.ok(notes(name).includes('its site made no page of it, so it is a draft'), name)
})
