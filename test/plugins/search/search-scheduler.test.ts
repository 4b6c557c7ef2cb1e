import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UnavailableError } from '../../../core/contract/errors.ts'
import { createDeadline, type Deadline } from '../../../plugins/search/deadline.ts'
import { createSearchScheduler } from '../../../plugins/search/search-scheduler.ts'

const hourMs = 3_600_000
/** Far from its end, so that no test depends on how fast the machine is. */
const anHour = () => createDeadline(hourMs)

/** A search that runs until it is released. */
function startSearch(scheduler: ReturnType<typeof createSearchScheduler>, deadline = anHour()) {
  const begun = Promise.withResolvers<Deadline>()
  const release = Promise.withResolvers<void>()
  const done = scheduler.run(deadline, async given => {
    begun.resolve(given)
    await release.promise
  })
  done.catch(begun.reject)
  begun.promise.catch(() => {})
  return { begun: begun.promise, release: () => release.resolve(), done }
}

test('the time is shared among the searches that run and wait, and is whole again when they are gone', async () => {
  const scheduler = createSearchScheduler({ maxRunning: 2 })
  const running = [startSearch(scheduler), startSearch(scheduler)]
  const [first] = await Promise.all(running.map(({ begun }) => begun))
  const minutesLeft = () => Math.round((first?.leftMs() ?? 0) / 60_000)
  assert.equal(minutesLeft(), 60)
  const waiting = [startSearch(scheduler), startSearch(scheduler)]
  assert.equal(minutesLeft(), 30)
  for (const { release } of [...waiting, ...running.slice(1)]) release()
  await Promise.all(waiting.map(({ done }) => done))
  assert.equal(minutesLeft(), 60)
  running[0]?.release()
})

test('searches begin in the order of arrival, whether those before succeed or fail', async () => {
  const scheduler = createSearchScheduler({ maxRunning: 1 })
  const order: number[] = []
  const failing = scheduler.run(anHour(), async () => assert.fail('damaged'))
  const others = [1, 2, 3].map(n => scheduler.run(anHour(), async () => void order.push(n)))
  await assert.rejects(failing, /damaged/)
  await Promise.all(others)
  assert.deepEqual(order, [1, 2, 3])
})

test('a search whose time was over before its turn has a little, and one that nobody waits for never begins', async () => {
  const scheduler = createSearchScheduler({ maxRunning: 1, minMs: hourMs })
  const first = startSearch(scheduler)
  await first.begun
  const late = startSearch(scheduler, createDeadline(hourMs, { elapsedMs: 2 * hourMs }))
  const client = new AbortController()
  const gone = startSearch(scheduler, createDeadline(hourMs, { clientSignal: client.signal }))
  client.abort()
  await assert.rejects(gone.done, UnavailableError)
  await assert.rejects(
    startSearch(scheduler, createDeadline(hourMs, { clientSignal: client.signal })).done,
    UnavailableError
  )
  first.release()
  assert.equal((await late.begun).hasPassed(), false)
  late.release()
  await Promise.all([first.done, late.done])
})
