import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRowQueue } from '../../../plugins/newsletter/sending/row-queue.ts'

const content = { post_ids: [], subject: 'Tides', html: '', text: '' }
const { signal } = new AbortController()

/** A queue over the rows of a database in which a row stands until it is removed. */
function queueOf(...ids: string[]) {
  const queued = new Set(ids)
  const nextPage = async () => ({
    content,
    rows: [...queued].map(subscriber_id => ({ subscriber_id, attempts: 0, unanswered: 0 }))
  })
  const queue = createRowQueue(nextPage, 2, signal)
  return { queue, remove: (id: string) => queued.delete(id) }
}

test('a row that a connection has taken is in no page until it is written what became of it', async () => {
  const { queue, remove } = queueOf('a', 'b')
  assert.equal(await queue.waitForRows(), true)
  assert.deepEqual([queue.take()?.row.subscriber_id, queue.take()?.row.subscriber_id], ['a', 'b'])
  // One connection has sent its mail; the other waits for its time, and its row is still queued in the database.
  remove('a')
  queue.release('a')
  const more = queue.waitForRows()
  queue.leave()
  assert.equal(await more, false)
  assert.equal(queue.take(), undefined)
})

test('a row that is queued again at once is taken again', async () => {
  const { queue } = queueOf('a', 'b')
  await queue.waitForRows()
  queue.take()
  queue.take()
  queue.release('a')
  queue.requeued()
  assert.equal(await queue.waitForRows(), true)
  assert.deepEqual([queue.take()?.row.subscriber_id, queue.take()], ['a', undefined])
})

test('a page says nothing of a row that was released while it was read', async () => {
  const page = Promise.withResolvers<undefined>()
  const pages = [['a'], ['a', 'b'], []]
  let reads = 0
  const nextPage = async () => {
    const rows = (pages[reads++] ?? []).map(subscriber_id => ({ subscriber_id, attempts: 0, unanswered: 0 }))
    if (reads === 2) await page.promise
    return { content, rows }
  }
  const queue = createRowQueue(nextPage, 2, signal)
  await queue.waitForRows()
  assert.equal(queue.take()?.row.subscriber_id, 'a')
  const more = queue.waitForRows()
  queue.release('a')
  page.resolve(undefined)
  assert.equal(await more, true)
  assert.deepEqual([queue.take()?.row.subscriber_id, queue.take()], ['b', undefined])
})
