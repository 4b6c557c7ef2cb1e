import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSharedRuns } from '#coalescing'
import { until } from '../helpers/until.ts'

test('a call during a run shares the next run of its key, never the one under way', async () => {
  const { run } = createSharedRuns<string>()
  const begun: PromiseWithResolvers<string>[] = []
  const work = () => {
    const one = Promise.withResolvers<string>()
    begun.push(one)
    return one.promise
  }
  const asked = [run('a', work), run('a', work), run('a', work), run('b', work)]
  assert.equal(begun.length, 2)
  begun[0]?.resolve('first')
  begun[1]?.resolve('of b')
  assert.equal(await asked[0], 'first')
  await until(async () => begun.length === 3)
  const late = run('a', work)
  begun[2]?.resolve('second')
  assert.deepEqual(await Promise.all(asked.slice(1)), ['second', 'second', 'of b'])
  await until(async () => begun.length === 4)
  begun[3]?.reject(new Error('third'))
  await assert.rejects(late, /third/)
  const afterwards = run('a', work)
  assert.equal(begun.length, 5)
  begun[4]?.resolve('fifth')
  assert.equal(await afterwards, 'fifth')
})
