import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { slugPattern } from '#core'
import { labelsOf } from '../../../plugins/posts/labels.ts'
import { maxSlugLength, slugCandidates, slugOf, suffixedSlug } from '../../../plugins/posts/slug.ts'

const pattern = new RegExp(slugPattern)
const first = (title: string) => slugCandidates(title).next().value ?? ''

test('a title becomes lower-case ASCII words', () => {
  const table: [string, string][] = [
    ['How PostgreSQL keeps readers apart', 'how-postgresql-keeps-readers-apart'],
    ['Crème brûlée & Größe', 'creme-brulee-and-groesse'],
    ['  C++ / C#  ', 'c-plus-plus-c-sharp'],
    ['#1 of 3 + 4', '1-of-3-4'],
    ['日本語', '']
  ]
  for (const [title, slug] of table) assert.equal(slugOf(title), slug, title)
})

test('a long title is cut between words', () => {
  const slug = slugOf('word '.repeat(40))
  assert.ok(slug.length <= maxSlugLength)
  assert.match(slug, /^(word-)*word$/)
})

test('reserved and empty slugs get a suffix', () => {
  assert.match(first('Search'), /^search-[a-z2-9]{5}$/)
  assert.match(first('Preview'), /^preview-[a-z2-9]{5}$/)
  assert.match(first('Suggest'), /^suggest-[a-z2-9]{5}$/)
  assert.match(first('日本語'), /^post-[a-z2-9]{5}$/)
})

test('every candidate for any title is a slug', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), title => {
      for (const slug of [first(title), suffixedSlug(title)])
        assert.ok(pattern.test(slug) && slug.length <= maxSlugLength, slug)
    }),
    { seed: 20_261_121 }
  )
})

test('tags that differ in their signs only have slugs of their own', () => {
  assert.deepEqual(
    labelsOf(['C', 'C++', 'C#', 'F#', '#news']).map(tag => tag.slug),
    ['c', 'c-plus-plus', 'c-sharp', 'f-sharp', 'news']
  )
})

test('tags that share a slug are one, and scripts without ASCII words keep theirs apart', () => {
  const tags = labelsOf(['Node.js', ' node.js ', '日本', '東京', '  '])
  assert.deepEqual(
    tags.map(tag => tag.name),
    ['Node.js', '日本', '東京']
  )
  assert.equal(new Set(tags.map(tag => tag.slug)).size, 3)
})
