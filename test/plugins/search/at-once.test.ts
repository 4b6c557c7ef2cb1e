import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Harness, openPosts } from '../posts/harness.ts'

/** A list of so many posts is decoded into memory that searches lend each other. */
const posts = 2500
const words = ['harbour', 'lighthouse', 'keeper', 'lantern', 'anchor', 'mast']

let harness: Harness
before(async () => {
  harness = await openPosts({ withMemory: false })
  // Word n is in each post whose number n + 1 does not divide, so that each list is long and another.
  await harness.db.query(
    `insert into posts (slug, title, content, content_html, status, published_at, word_count)
     select 'p' || n, 'Post ' || n, body, '<p>' || body || '</p>', 'published', now() - interval '1 minute' * n, 9
     from generate_series(1, $1::int) n
     cross join lateral (
       select concat(string_agg(repeat(word || ' ', 1 + n % (at::int + 2)), ''), 'w', n) body
       from unnest($2::text[]) with ordinality said(word, at) where n % (at + 1) <> 0
     ) text`,
    [posts, words]
  )
  await harness.index()
})
after(() => harness.close())

const queries = words.flatMap((word, at) => [word, ...words.slice(at + 1).map(other => `${word} ${other}`)])
/** So many searches run at once; others would wait for them, and be refused on a slow machine. */
const runningAtOnce = 6

async function answerOf(q: string) {
  const { statusCode, body } = await harness.app.inject({
    method: 'GET',
    url: `/api/posts/search?q=${encodeURIComponent(q)}`
  })
  assert.equal(statusCode, 200, body)
  const { items, total, degraded } = JSON.parse(body)
  return { q, total, degraded, found: items.map((item: { slug: string; score: number }) => [item.slug, item.score]) }
}
type Answer = Awaited<ReturnType<typeof answerOf>>

async function answersAtOnce(): Promise<Answer[]> {
  const answers: Answer[] = []
  const rest = queries.entries()
  const askNext = async () => {
    for (const [at, q] of rest) answers[at] = await answerOf(q)
  }
  await Promise.all(Array.from({ length: runningAtOnce }, askNext))
  return answers
}

test('searches at once find what each finds by itself', async () => {
  const atOnce = await answersAtOnce()
  const inTurn: Answer[] = []
  await harness.touch()
  for (const q of queries) inTurn.push(await answerOf(q))
  assert.deepEqual(atOnce, inTurn)
  assert.ok(inTurn.every(({ total, degraded }) => total > posts / 4 && degraded === undefined))
})
