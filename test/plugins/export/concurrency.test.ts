import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPrioritySemaphore } from '../../../plugins/export/concurrency.ts'

test('work waits for a slot, the lowest rank first, and a failed piece frees its own', async () => {
  const withPermit = createPrioritySemaphore(2)
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  const work = (rank: number, name: string) =>
    withPermit(rank, async () => {
      begun.push(name)
      const end = Promise.withResolvers<void>()
      ends.set(name, end)
      await end.promise
    })
  const end = async (name: string) => {
    ends.get(name)?.resolve()
    await pieces[name]
  }
  const pieces: Record<string, Promise<void>> = {
    first: work(1, 'first'),
    second: work(1, 'second'),
    later: work(2, 'later'),
    third: work(1, 'third'),
    fourth: work(1, 'fourth')
  }
  const failed = assert.rejects(pieces.second ?? Promise.resolve(), /full/)
  await Promise.resolve()
  assert.deepEqual(begun, ['first', 'second'])
  await end('first')
  assert.deepEqual(begun, ['first', 'second', 'third'])
  ends.get('second')?.reject(new Error('The disk is full.'))
  await failed
  assert.deepEqual(begun, ['first', 'second', 'third', 'fourth'])
  await end('third')
  assert.deepEqual(begun, ['first', 'second', 'third', 'fourth', 'later'])
  await Promise.all([end('fourth'), end('later')])
  await withPermit(9, async () => void begun.push('afterwards'))
  assert.equal(begun.at(-1), 'afterwards')
})
