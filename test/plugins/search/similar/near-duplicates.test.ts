import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDuplicates } from '../../../../plugins/search/similar/near-duplicates.ts'

const words = (seed: number, count: number) =>
  Array.from({ length: count }, (_, index) => `w${(seed * 7919 + index * 104729) % 100_003}`)
const row = (post_id: string, text: string[]) => ({ post_id, slug: post_id, title: post_id, content: text.join(' ') })
const twinsOf = async (candidates: ReturnType<typeof row>[], others: ReturnType<typeof row>[]) => {
  const found = await findDuplicates(candidates, others, ({ similarity }) => similarity >= 0.8)
  return [...found].map(([post_id, twin]) => [post_id, twin.post_id])
}

test('of equal texts the first stays, and what repeats a published one goes', async () => {
  const one = words(1, 400)
  const other = words(2, 400)
  const public_ = words(3, 400)
  const candidates = [row('a', one), row('b', other), row('c', one), row('d', public_), row('e', [...one, 'end'])]
  assert.deepEqual(await twinsOf(candidates, [row('p', public_)]), [
    ['c', 'a'],
    ['d', 'p'],
    ['e', 'a']
  ])
})

test('texts that share less than the threshold, short ones and empty ones are no twins', async () => {
  const one = words(1, 400)
  const half = [...one.slice(0, 200), ...words(5, 200)]
  assert.deepEqual(await twinsOf([row('a', one), row('b', half), row('c', []), row('d', []), row('e', ['x'])], []), [])
})

test('the same words in another order are no twin', async () => {
  const one = words(1, 400)
  assert.deepEqual(await twinsOf([row('a', one), row('b', one.toReversed())], []), [])
})

test('a thousand texts with one twin among them', async () => {
  const many = Array.from({ length: 1000 }, (_, index) => row(`p${index}`, words(index + 10, 120)))
  const twin = row('twin', words(510, 120))
  assert.deepEqual(await twinsOf([twin], many), [['twin', 'p500']])
})
