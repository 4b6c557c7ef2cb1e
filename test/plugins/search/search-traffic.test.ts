import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSearchTraffic } from '../../../plugins/search/search-traffic.ts'

/** How long the next part of a work waits whose last one took so long. */
async function waitAfter(workMs: number, throttle: () => Promise<void>): Promise<number> {
  await sleep(workMs)
  const stopped = performance.now()
  await throttle()
  return performance.now() - stopped
}

describe('long work', () => {
  test('goes on at once while nobody searches', async () => {
    const throttle = createSearchTraffic().throttle(new AbortController().signal)
    assert.ok((await waitAfter(30, throttle)) < 30)
  })

  test('rests while somebody searches, and not for ever', async () => {
    const traffic = createSearchTraffic()
    const { promise: never, resolve } = Promise.withResolvers<void>()
    const search = traffic.search(() => never)
    const waited = await waitAfter(30, traffic.throttle(new AbortController().signal))
    assert.ok(waited >= 500, `${waited} ms`)
    resolve()
    await search
  })

  test('goes on soon after the last search', async () => {
    const traffic = createSearchTraffic()
    await assert.rejects(traffic.search(() => Promise.reject(new Error('failed'))))
    const waited = await waitAfter(60, traffic.throttle(new AbortController().signal))
    assert.ok(waited >= 100 && waited < 1_000, `${waited} ms`)
  })

  test('rests no longer once it is urgent', async () => {
    const traffic = createSearchTraffic()
    const { promise: never, resolve } = Promise.withResolvers<void>()
    const search = traffic.search(() => never)
    const throttle = traffic.throttle(new AbortController().signal)
    const waited = await waitAfter(30, () => throttle(async () => true))
    assert.ok(waited < 100, `${waited} ms`)
    resolve()
    await search
  })

  test('ends when it is aborted while it rests', async () => {
    const traffic = createSearchTraffic()
    const { promise: never, resolve } = Promise.withResolvers<void>()
    const search = traffic.search(() => never)
    const controller = new AbortController()
    const waiting = waitAfter(100, traffic.throttle(controller.signal))
    setTimeout(() => controller.abort(), 200)
    await assert.rejects(waiting, { name: 'AbortError' })
    resolve()
    await search
  })
})
