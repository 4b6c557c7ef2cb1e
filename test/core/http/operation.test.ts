import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import type { FastifyPluginAsync } from 'fastify'
import { access } from '../../../core/contract/access.ts'
import type { Db } from '../../../core/contract/database.ts'
import { UnavailableError } from '../../../core/contract/errors.ts'
import { noDatabase, startApp } from './app-under-test.ts'

const absentDatabase = {
  ...noDatabase,
  query: async () => {
    throw new UnavailableError('The database does not answer.')
  }
} as Db

describe('health', () => {
  for (const path of ['/api/health', '/health']) {
    it(`${path} tells the specified payload`, async t => {
      const app = await startApp({ now: () => new Date('2026-11-21T10:00:00Z') })
      t.after(app.close)
      const answer = await app.fetch(path)
      assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'no-store'])
      assert.deepEqual(await answer.json(), {
        status: 'healthy',
        service: 'galley',
        version: '0.0.0',
        timestamp: '2026-11-21T10:00:00.000Z',
        components: { database: 'healthy', connection_pool: { size: 2, idle: 1 } }
      })
    })

    it(`${path} answers 503 without a database`, async t => {
      const app = await startApp({ db: absentDatabase })
      t.after(app.close)
      const answer = await app.fetch(path)
      const { status, components } = (await answer.json()) as { status: string; components: { database: string } }
      assert.deepEqual(
        [answer.status, status, components.database, answer.headers.get('retry-after')],
        [503, 'unhealthy', 'unhealthy', '1']
      )
    })
  }

  it('a process that shuts down is healthy and not ready', async t => {
    const app = await startApp({ isDraining: () => true })
    t.after(app.close)
    assert.equal((await app.fetch('/api/health')).status, 200)
    const ready = await app.fetch('/health')
    assert.deepEqual(
      [ready.status, ((await ready.json()) as { status: string }).status, ready.headers.get('connection')],
      [503, 'draining', 'close']
    )
  })

  it('a plugin that cannot do its part makes the service unready, and no less healthy', async t => {
    const answers = [async () => false, () => Promise.reject(new Error('no answer'))]
    for (const isReady of answers) {
      const app = await startApp({ isReady })
      t.after(app.close)
      const ready = await app.fetch('/health')
      const { status, components } = (await ready.json()) as { status: string; components: { database: string } }
      assert.deepEqual([ready.status, status, components.database], [503, 'unready', 'healthy'])
      const health = await app.fetch('/api/health')
      assert.deepEqual([health.status, ((await health.json()) as { status: string }).status], [200, 'healthy'])
    }
  })
})

describe('closing', () => {
  it('ends at once for idle connections and after the last answer for busy ones', async () => {
    let finish = () => {}
    const held = new Promise<void>(resolve => {
      finish = resolve
    })
    let isBusy = false
    const slow: FastifyPluginAsync = async app => {
      app.get('/slow', { config: { access: access.public }, schema: { operationId: 'slow' } }, async () => {
        isBusy = true
        await held
        return { done: true }
      })
    }
    const app = await startApp({ routes: slow })
    const idle = connect(app.port, '127.0.0.1')
    idle.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(idle, 'data')
    const answer = app.fetch('/slow')
    while (!isBusy) await new Promise(setImmediate)
    const closed = app.close()
    await once(idle, 'close')
    finish()
    assert.deepEqual(await (await answer).json(), { done: true })
    await closed
    await assert.rejects(app.fetch('/health'))
  })
})
