import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bounded, boundedMany, LimitError } from '../../child-process/bounded.ts'
import { createFairQueue, queueLimits } from '../../child-process/fair-queue.ts'
import { UnavailableError } from '../../core/contract/errors.ts'

const act = bounded<unknown>(new URL('../fixtures/hostile-module.ts', import.meta.url), 'act')

for (const [what, reason] of [
  ['loop', /^takes more than 1 s$/],
  ['backtrack', /^takes more than 1 s$/],
  ['recurse', /^is nested too deep$/],
  // Where others have the processor, its time may be over first.
  ['heap', /^takes more than (128 MB of memory|1 s)$/]
] as const) {
  test(`an input that would ${what} is refused, and the next one is answered`, async () => {
    await assert.rejects(act(what, 'anna'), error => error instanceof LimitError && reason.test(error.message))
    assert.equal(typeof (await act(`answer after ${what}`, 'anna')), 'number')
  })
}

test('of many inputs in one call, the one that passes the limits is refused alone', async () => {
  const actMany = boundedMany<unknown>(new URL('../fixtures/hostile-module.ts', import.meta.url), 'act')
  const [first, refused, last] = await actMany(['answer 1', 'recurse', 'answer 2'], 'anna')
  assert.ok(refused instanceof LimitError && refused.message === 'is nested too deep')
  assert.deepEqual([typeof first, last], ['number', first])
  assert.deepEqual(await actMany([], 'anna'), [])
  const texts = Array.from({ length: 70 }, (_, at) => `answer ${at}`)
  assert.equal((await actMany(texts, 'anna')).length, 70)
})

test('a call runs in a process of its own, which has none of the keys of the environment', async () => {
  assert.notEqual(await act('answer', 'anna'), process.pid)
  const names = (await act('environment', 'anna')) as string[]
  assert.deepEqual(
    names.filter(name => !['NODE_COMPILE_CACHE', 'NODE_CHANNEL_SERIALIZATION_MODE', 'TMPDIR'].includes(name)),
    []
  )
})

test('a module that takes long to load takes nothing from the time of a call', async () => {
  const length = bounded<number>(new URL('../fixtures/slow-module.ts', import.meta.url), 'length', { cpuTimeMs: 50 })
  assert.equal(await length('tide', 'anna'), 4)
})

test('an input whose process ends of itself says nothing about it: trying again may help', async () => {
  await assert.rejects(act('exit', 'anna'), UnavailableError)
})

for (const [what, module, name, reason] of [
  ['that cannot be imported', 'missing-module.ts', 'act', /missing-module\.ts cannot be imported \(.+\)\.$/],
  ['without the function', 'hostile-module.ts', 'missed', /hostile-module\.ts exports no function missed\.$/]
] as const) {
  test(`a module ${what} is the caller's mistake, and no verdict on the input`, async () => {
    const call = bounded<unknown>(new URL(`../fixtures/${module}`, import.meta.url), name)
    const isTypeError = (error: unknown) => error instanceof TypeError && reason.test(error.message)
    await assert.rejects(call('answer', 'anna'), isTypeError)
    await assert.rejects(call('answer', 'anna'), isTypeError)
  })
}

test('clients take turns, and each has one call at work', () => {
  const queue = createFairQueue<string>({ maxOfClient: 3, max: 5 })
  const added = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2'].map(work => queue.add(work.slice(0, 1), work))
  assert.deepEqual(added, [true, true, true, false, true, true, false])
  const first = queue.next()
  const second = queue.next()
  const third = queue.next()
  assert.deepEqual([first?.work, second?.work, third?.work], ['a1', 'b1', 'c1'])
  assert.equal(queue.next(), undefined)
  first?.end()
  assert.equal(queue.next()?.work, 'a2')
  assert.equal(queue.next(), undefined)
})

test('a client that brings more than may wait is asked to come again', async () => {
  // One at work, and as many as may wait.
  const taken = 1 + queueLimits.maxOfClient
  const calls = Array.from({ length: taken + 3 }, (_, at) => act(`answer ${at}`, 'bert'))
  const outcomes = await Promise.allSettled(calls)
  const refused = outcomes.filter(outcome => outcome.status === 'rejected')
  assert.equal(refused.length, 3)
  assert.ok(refused.every(outcome => outcome.reason instanceof UnavailableError))
})
