import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listNumbers } from '../../../../plugins/site/repository/periods.ts'
import { openTestDatabase } from '../../../helpers/database.ts'

const db = await openTestDatabase()
after(() => db.close())

test('the posts of a tag are the same, whether they are looked for by the tag or by the time', async () => {
  await db.query(
    `insert into posts (slug, title, content, content_html, status, published_at, tags, tag_slugs)
     select 'post-' || n, 'Post', 'x', 'x', 'published', timestamptz '2025-06-01' - interval '1 month' * n,
       array['t' || n % 3, 'all'], array['t' || n % 3, 'all'] from generate_series(1, 30) n`
  )
  const excerpts = [
    { slug: 't1', period: null, limit: 4 },
    { slug: 't2', period: 2024, limit: 100 },
    { slug: 'all', period: 2023, limit: 100 },
    { slug: 'none', period: 2024, limit: 100 }
  ]
  const numbers = await listNumbers(db, 'tags', { excerpts, timeZone: 'UTC' })
  assert.deepEqual(
    numbers.map(each => each.length),
    [4, 4, 12, 0]
  )
  assert.deepEqual(await listNumbers(db, 'rare tags', { excerpts, timeZone: 'UTC' }), numbers)
  const [newest = []] = await listNumbers(db, 'archive', {
    excerpts: [{ slug: '', period: null, limit: 1 }],
    timeZone: 'UTC'
  })
  assert.deepEqual(numbers[0]?.slice(0, 1), newest)
})
