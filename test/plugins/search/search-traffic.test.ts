import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createSearchTraffic, type Throttle } from '../../../plugins/search/search-traffic.ts'

/** A clock that moves only while somebody sleeps, and the work measured by it. */
function openTraffic() {
  let at = 0
  const sleep = async (ms: number, signal: AbortSignal) => {
    signal.throwIfAborted()
    at += ms
  }
  const controller = new AbortController()
  const traffic = createSearchTraffic({ now: () => at, sleep })
  /** How long the next part of a work waits whose last one took so long. */
  const waitAfter = async (workMs: number, throttle: Throttle, isUrgent?: () => Promise<boolean>) => {
    at += workMs
    const stopped = at
    await throttle(isUrgent)
    return at - stopped
  }
  return { traffic, throttle: traffic.throttle(controller.signal), waitAfter, controller }
}

/** One that does not end. */
const never = new Promise<void>(() => {})

describe('long work', () => {
  test('goes on at once while nobody searches', async () => {
    const { throttle, waitAfter } = openTraffic()
    assert.equal(await waitAfter(30, throttle), 0)
  })

  test('rests twenty times as long as its last part took while somebody searches, and 5 s at most', async () => {
    const { traffic, throttle, waitAfter } = openTraffic()
    void traffic.search(() => never)
    assert.equal(await waitAfter(30, throttle), 600)
    assert.equal(await waitAfter(300, throttle), 5_000)
  })

  test('goes on soon after the last search, one that failed, too', async () => {
    const { traffic, throttle, waitAfter } = openTraffic()
    await assert.rejects(traffic.search(() => Promise.reject(new Error('failed'))))
    assert.equal(await waitAfter(60, throttle), 200)
    assert.equal(await waitAfter(60, throttle), 0)
  })

  test('rests no longer once it is urgent', async () => {
    const { traffic, throttle, waitAfter } = openTraffic()
    void traffic.search(() => never)
    let asked = 0
    assert.equal(await waitAfter(30, throttle, async () => ++asked === 3), 100)
  })

  test('ends when it is aborted while it rests', async () => {
    const { traffic, throttle, waitAfter, controller } = openTraffic()
    void traffic.search(() => never)
    const abort = async () => {
      controller.abort()
      return false
    }
    await assert.rejects(waitAfter(100, throttle, abort), { name: 'AbortError' })
  })
})
