import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expandPermalink, type PermalinkPost } from '../../../plugins/import/markdown/permalink.ts'

const post: PermalinkPost = { date: '2021-01-03 09:05:07 +0200', slug: 'Été-a', categories: ['Food & Drink', 'b'] }

for (const [permalink, address] of [
  ['date', '/food & drink/b/2021/01/03/Été-a.html'],
  ['pretty', '/food & drink/b/2021/01/03/Été-a/'],
  ['ordinal', '/food & drink/b/2021/003/Été-a.html'],
  ['weekdate', '/food & drink/b/2021/W53/Sun/Été-a.html'],
  ['none', '/food & drink/b/Été-a.html'],
  ['/:slugified_categories/:slug', '/food-drink/b/été-a'],
  ['/:w_year/:w_day/:short_year-:i_month-:i_day', '/2020/7/21-1-3'],
  ['/:long_month/:short_month/:long_day', '/January/Jan/Sunday'],
  ['/:hour/:minute/:second/:collection', '/09/05/07/posts'],
  ['about/', '/about/'],
  ['https://example.org/a//b', 'https://example.org/a//b'],
  ['/note:one/', '/note:one/'],
  ['/:section/:title', null],
  ['/{{ page.title }}/', null],
  ['toString', '/toString']
] as const)
  test(`the permalink ${permalink} stands for ${address}`, () =>
    assert.equal(expandPermalink(permalink, post), address))

test('without a date there is no address by date', () => {
  assert.equal(expandPermalink('pretty', { ...post, date: null }), null)
  assert.equal(expandPermalink('/:title', { ...post, date: 'Jul 08 2022', categories: [] }), '/Été-a')
})
