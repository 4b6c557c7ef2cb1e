import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import type { FastifyPluginAsync } from 'fastify'
import { access } from '../../../core/contract/access.ts'
import { UnavailableError } from '../../../core/contract/errors.ts'
import { currentLane, serially } from '../../../core/db/lanes.ts'
import { createAdmission } from '../../../core/http/load/admission.ts'
import { until } from '../../helpers/until.ts'
import { bearer, startApp } from './app-under-test.ts'

const never = new AbortController().signal

describe('admission', () => {
  test('lets a few in at a time, in the order of coming', async () => {
    const admission = createAdmission({ maxRunning: 1, maxWaiting: 2, maxWaitMs: 60_000 })
    const leave = await admission.enter(never)
    const order: number[] = []
    const waiting = [1, 2].map(async n => {
      const leaveNext = await admission.enter(never)
      order.push(n)
      leaveNext()
      leaveNext()
    })
    await assert.rejects(admission.enter(never), UnavailableError)
    leave()
    await Promise.all(waiting)
    assert.deepEqual(order, [1, 2])
  })

  test('who is gone gives its place up, and who waited too long is refused', async () => {
    const admission = createAdmission({ maxRunning: 1, maxWaiting: 1, maxWaitMs: 1 })
    const leave = await admission.enter(never)
    const gone = new AbortController()
    const given = admission.enter(gone.signal)
    gone.abort()
    await assert.rejects(given, UnavailableError)
    await assert.rejects(admission.enter(never), UnavailableError)
    leave()
    assert.equal(typeof (await admission.enter(never)), 'function')
  })
})

describe('the share of a route', () => {
  const open = (cost?: 'light' | 'heavy' | 'scan') => ({ access: access.public, ...(cost && { cost }) })
  const lanes: FastifyPluginAsync = async app => {
    const answer = async () => ({ lane: currentLane() })
    app.get('/read', { config: open(), schema: { operationId: 'a' } }, answer)
    app.get('/search', { config: open('scan'), schema: { operationId: 'b' } }, answer)
    app.post('/heavy', { config: open('heavy'), schema: { operationId: 'c' } }, answer)
    app.post('/light', { config: open('light'), schema: { operationId: 'd' } }, answer)
    app.post('/decide', { config: { access: access.bearer('api:write') }, schema: { operationId: 'e' } }, answer)
  }
  const rows = [
    ['GET', '/read', 'reads'],
    ['GET', '/search', 'queries'],
    ['POST', '/heavy', 'reads'],
    ['POST', '/light', 'reads'],
    ['POST', '/decide', 'work']
  ] as const

  test('decides which connections it uses', async t => {
    const app = await startApp({ routes: lanes })
    t.after(app.close)
    for (const [method, path, lane] of rows) {
      const answer = await app.fetch(path, { method, headers: bearer() })
      assert.deepEqual([path, await answer.json()], [path, { lane }])
    }
  })

  test('of heavy routes twelve answers are made at once, with three statements among them', async t => {
    let begun = 0
    let statements = 0
    const release = Promise.withResolvers<void>()
    const statement = () =>
      serially(async () => {
        statements += 1
        await release.promise
      })
    const routes: FastifyPluginAsync = async app => {
      app.get('/heavy', { config: open('heavy'), schema: { operationId: 'a' } }, async () => {
        begun += 1
        await Promise.all([statement(), statement()])
        return {}
      })
    }
    const app = await startApp({ routes })
    t.after(() => {
      release.resolve()
      return app.close()
    })
    const asked = Array.from({ length: 13 }, () => app.fetch('/heavy'))
    await until(async () => begun === 12 && (await countOf(app.app.server)) === 13)
    assert.deepEqual([begun, statements], [12, 3])
    release.resolve()
    for (const each of asked) assert.equal((await each).status, 200)
    assert.deepEqual([begun, statements], [13, 26])
  })

  test('a search whose sender hung up while it waited never begins', async t => {
    let begun = 0
    const release = Promise.withResolvers<void>()
    const routes: FastifyPluginAsync = async app => {
      app.get('/search', { config: open('scan'), schema: { operationId: 'a' } }, async () => {
        begun += 1
        await release.promise
        return {}
      })
    }
    const app = await startApp({ routes })
    t.after(app.close)
    const first = Array.from({ length: 64 }, () => app.fetch('/search'))
    await until(async () => begun === 64)
    const gone = Array.from({ length: 30 }, () => connect(app.port, '127.0.0.1'))
    for (const socket of gone) socket.write('GET /search HTTP/1.1\r\nHost: a\r\n\r\n')
    await until(async () => (await countOf(app.app.server)) >= 94)
    for (const socket of gone) socket.destroy()
    await until(async () => (await countOf(app.app.server)) <= 64)
    release.resolve()
    for (const each of first) assert.equal((await each).status, 200)
    assert.equal((await app.fetch('/search')).status, 200)
    assert.equal(begun, 65)
  })
})

const countOf = (server: { getConnections(done: (error: Error | null, count: number) => void): unknown }) =>
  new Promise<number>(resolve => void server.getConnections((_, count) => resolve(count)))
