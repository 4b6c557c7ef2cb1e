import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createPostgres } from '../../../cli/database/postgres/postgres.ts'
import type { Db, Param } from '../../../core/contract/database.ts'
import { openOnServer, openTestDatabase, testServerUrl } from '../../helpers/database.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'
import { basic, grant, mintToken, registerClient, sendForm, statusWith } from './requests.ts'

/** Two handles of one database: on a server, two pools as two processes have them. */
async function openTwice() {
  if (testServerUrl === undefined) {
    const db = await openTestDatabase()
    return { here: db, there: db, close: () => db.close() }
  }
  const { url, db } = await openOnServer(testServerUrl)
  const there = createPostgres({ url, max: 3 })
  const close = async () => {
    await there.close()
    await db.close()
  }
  return { here: db, there, close }
}

/** Holds back what the database answered about a token. */
let afterCheck: (() => Promise<void>) | undefined
const withPause = (db: Db): Db => ({
  ...db,
  async query<Row extends object>(sql: string, params?: readonly Param[]) {
    const rows = await db.query<Row>(sql, params)
    if (sql.includes('revoked_tokens')) await afterCheck?.()
    return rows
  }
})

const database = await openTwice()
const service = await startService({ worker: false, db: withPause(database.here) })
const other = await startService({ worker: false, db: database.there })
after(async () => {
  await Promise.all([service.close(), other.close()])
  await database.close()
})

/** A client with a token both processes have checked and remember. */
async function usedToken() {
  const client = await registerClient(service)
  const token = await mintToken(service, client)
  for (const each of [service, other, service, other]) assert.equal(await statusWith(each, token), 200)
  return { client, token }
}

test('a revoked token is refused at once here and soon in another process; the client’s others go on', async () => {
  const { client, token } = await usedToken()
  const second = await mintToken(service, client)
  assert.equal(await statusWith(service, second), 200)
  const { status, body } = await sendForm(service, '/revoke', { token, ...client })
  assert.deepEqual([status, body], [200, {}])
  assert.equal(await statusWith(service, token), 401)
  await until(async () => (await statusWith(other, token)) === 401, 'the other process refuses the token')
  assert.equal(await statusWith(other, second), 200)
})

test('a revoked client’s tokens are refused at once here and soon in another process, and it gets no more', async () => {
  const { client, token } = await usedToken()
  const { status } = await runCommand(service.kernel, 'auth', 'revoke-client', client.client_id)
  assert.equal(status, 0)
  assert.equal(await statusWith(service, token), 401)
  await until(async () => (await statusWith(other, token)) === 401, 'the other process refuses the token')
  for (const each of [service, other]) {
    const answer = await sendForm(each, '/token', grant(client))
    assert.deepEqual([answer.status, answer.body.error], [401, 'invalid_client'])
  }
})

test('a token that was being checked while its client was revoked is not remembered', async () => {
  const client = await registerClient(service)
  const token = await mintToken(service, client)
  const pause = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  afterCheck = () => {
    asked.resolve()
    return pause.promise
  }
  const checking = statusWith(service, token)
  await asked.promise
  await runCommand(service.kernel, 'auth', 'revoke-client', client.client_id)
  afterCheck = undefined
  pause.resolve()
  assert.equal(await checking, 200, 'the client was there when the database was asked')
  assert.equal(await statusWith(service, token), 401)
})

test('a client revokes its own tokens only, and is not told about others', async () => {
  const { token } = await usedToken()
  const stranger = await registerClient(service)
  const answer = await sendForm(service, '/revoke', { token }, basic(stranger))
  assert.deepEqual([answer.status, answer.body], [200, {}])
  assert.equal(await statusWith(service, token), 200)
})

test('revoking what is no token, or revoked already, is no error', async () => {
  const { client, token } = await usedToken()
  for (const text of ['junk', token, token]) {
    const answer = await sendForm(service, '/revoke', { token: text, token_type_hint: 'refresh_token', ...client })
    assert.deepEqual([answer.status, answer.body], [200, {}])
    assert.equal(answer.headers.get('cache-control'), 'no-store')
  }
})

test('revoking needs a client and a token', async () => {
  const { client, token } = await usedToken()
  const nobody = await sendForm(service, '/revoke', { token })
  assert.deepEqual([nobody.status, nobody.body.error], [401, 'invalid_client'])
  const wrong = await sendForm(service, '/revoke', { token, ...client, client_secret: 'wrong' })
  assert.deepEqual([wrong.status, wrong.body.error], [401, 'invalid_client'])
  const nothing = await sendForm(service, '/revoke', { ...client })
  assert.deepEqual([nothing.status, nothing.body.error], [400, 'invalid_request'])
  assert.equal(await statusWith(service, token), 200)
})
