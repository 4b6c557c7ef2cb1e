import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import { access } from '../../../core/contract/access.ts'
import type { Db } from '../../../core/contract/database.ts'
import { ConflictError } from '../../../core/contract/errors.ts'
import { openTestDatabase } from '../../helpers/database.ts'
import { startApp } from './app-under-test.ts'

let runs = 0
let outcome: 'ok' | 'conflict' | 'bug' | 'hijack' | 'write' = 'ok'
let db: Db
let hold: Promise<void> | null = null

const routes: FastifyPluginAsync = async app => {
  const schema = { operationId: 'start', body: Type.Object({ topic: Type.String({ minLength: 3 }) }) }
  const config = { access: access.bearer('api:write') }
  for (const url of ['/start', '/other']) {
    app.post(url, { config, schema: { ...schema, operationId: `post${url.slice(1)}` } }, async (_request, reply) => {
      const run = ++runs
      await hold
      if (outcome === 'write') await db.transaction(tx => tx.query('select 1'))
      if (outcome === 'conflict') throw new ConflictError(`Run ${run} came too late.`)
      if (outcome === 'bug') throw new TypeError('bug')
      if (outcome === 'hijack') {
        reply.hijack()
        reply.raw.end('raw')
        return reply
      }
      return reply.code(201).header('location', `/start/${run}`).send({ run })
    })
  }
}

describe('Idempotency-Key', () => {
  let app: Awaited<ReturnType<typeof startApp>>
  before(async () => {
    db = await openTestDatabase()
    app = await startApp({ routes, db })
  })
  after(async () => {
    await app.close()
    await db.close()
  })
  beforeEach(async () => {
    await db.script('truncate idempotency_keys')
    runs = 0
    outcome = 'ok'
    hold = null
  })

  const send = async ({ key = 'k', client = 'alice', path = '/start', body = { topic: 'tides' } as object } = {}) => {
    const headers = {
      authorization: `Bearer ${client}+api:write`,
      'content-type': 'application/json',
      'idempotency-key': key
    }
    const answer = await app.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await answer.text()
    const { headers: got, status } = answer
    return {
      status,
      text,
      code: /"error_code":"(\w+)"/.exec(text)?.[1],
      location: got.get('location'),
      replayed: got.get('idempotency-replayed'),
      retryAfter: Number(got.get('retry-after'))
    }
  }

  it('gives the first answer again, with its status and headers', async () => {
    const first = await send()
    const second = await send()
    const { status, text, location, replayed } = first
    assert.deepEqual([status, text, location, replayed], [201, '{"run":1}', '/start/1', null])
    assert.deepEqual(second, { ...first, replayed: 'true' })
    assert.equal(runs, 1)
  })

  it('gives a refusal again as well', async () => {
    outcome = 'conflict'
    const first = await send()
    outcome = 'ok'
    const second = await send()
    assert.deepEqual([first.status, second.status, second.text], [409, 409, first.text])
  })

  for (const [title, change] of Object.entries({ body: { body: { topic: 'winds' } }, path: { path: '/other' } })) {
    it(`refuses the key with another ${title}`, async () => {
      await send()
      const { status, code } = await send(change)
      assert.deepEqual([status, code, runs], [409, 'IDEMPOTENCY_KEY_REUSED', 1])
    })
  }

  it('belongs to one client', async () => {
    await send()
    assert.equal((await send({ client: 'bob' })).text, '{"run":2}')
  })

  it('runs once when two come at once: the second is told to wait', async () => {
    let finish = () => {}
    hold = new Promise(resolve => {
      finish = resolve
    })
    const first = send()
    while (runs === 0) await new Promise(setImmediate)
    const second = await send()
    finish()
    assert.deepEqual([second.status, second.code, second.retryAfter], [409, 'IDEMPOTENCY_KEY_IN_USE', 1])
    assert.match(second.text, /repeat it in 1 s/)
    assert.equal((await first).status, 201)
    assert.equal((await send()).replayed, 'true')
  })

  it('is free again after an answer of 500', async () => {
    outcome = 'bug'
    assert.equal((await send()).status, 500)
    outcome = 'ok'
    assert.deepEqual([(await send()).status, runs], [201, 2])
  })

  it('is free again after an answer the handler wrote by itself', async () => {
    outcome = 'hijack'
    assert.equal((await send()).text, 'raw')
    outcome = 'ok'
    let answer = await send()
    // The key is freed right after the last byte is out.
    while (answer.status === 409) answer = await send()
    assert.equal(answer.status, 201)
  })

  it('is not spent on a request that is refused as invalid', async () => {
    assert.equal((await send({ body: {} })).status, 400)
    assert.equal((await send()).status, 201)
  })

  it('is taken over from a process that died, for the same request only', async () => {
    await send()
    await db.query(
      `update idempotency_keys set status = null, headers = null, body = null, created_at = now() - interval '25 seconds'`
    )
    assert.equal((await send()).code, 'IDEMPOTENCY_KEY_IN_USE')
    await db.query(`update idempotency_keys set created_at = now() - interval '31 seconds'`)
    assert.equal((await send({ body: { topic: 'winds' } })).code, 'IDEMPOTENCY_KEY_REUSED')
    assert.equal((await send()).text, '{"run":2}')
  })

  it('says how long it may be held, once a renewal is overdue', async () => {
    await send()
    const late = "created_at = now() - interval '14 seconds'"
    await db.query(`update idempotency_keys set status = null, headers = null, body = null, ${late}`)
    const { code, retryAfter, text } = await send()
    assert.equal(code, 'IDEMPOTENCY_KEY_IN_USE')
    // Nobody renews it: a repetition before then is refused once more.
    assert.ok(retryAfter > 1 && retryAfter <= 16, String(retryAfter))
    assert.match(text, new RegExp(`repeat it in ${retryAfter} s`))
  })

  it('never runs again once its change was committed, though the answer was lost', async () => {
    outcome = 'write'
    await send()
    // As a process that was killed between its commit and its answer leaves it.
    await db.query(
      `update idempotency_keys set status = null, headers = null, body = null, created_at = now() - interval '31 seconds'`
    )
    const again = await send()
    assert.deepEqual([again.status, again.code, runs], [409, 'IDEMPOTENCY_ANSWER_LOST', 1])
  })

  it('gives requests sent at the same time one answer', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => send()))
    assert.deepEqual([...new Set(answers.map(({ text }) => text))], ['{"run":1}'])
    assert.equal(runs, 1)
  })

  it('holds for 24 hours', async () => {
    await send()
    await db.query(`update idempotency_keys set created_at = now() - interval '23 hours 59 minutes'`)
    assert.equal((await send()).text, '{"run":1}')
    await db.query(`update idempotency_keys set created_at = now() - interval '24 hours 1 minute'`)
    assert.equal((await send({ body: { topic: 'winds' } })).text, '{"run":2}')
  })

  for (const key of ['', 'é', 'x'.repeat(256)]) {
    it(`refuses a key of ${key.length} characters that is not printable ASCII of 1 to 255`, async () => {
      const { status, text } = await send({ key })
      assert.equal(status, 400)
      assert.match(text, /"idempotency-key":"must have 1 to 255/)
    })
  }
})
