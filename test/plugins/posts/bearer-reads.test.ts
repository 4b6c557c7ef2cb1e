import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type TestService } from '../../helpers/service.ts'
import { draftedTask, storeSource } from '../../helpers/tasks.ts'

let service: TestService
before(async () => {
  service = await startService()
  await storeSource(service)
})
after(() => service.close())

test('a bearer reads what is kept from anonymous readers, and a bad token is refused, never ignored', async () => {
  const task = await draftedTask(service)
  const { body } = await service.bearer('POST', `/api/tasks/${task.task_id}/approve`, { approved: true })
  const path = `/api/posts/${body.post_slug}`
  const anonymous = await service.anonymous('GET', path)
  assert.deepEqual(['awaiting_gate' in anonymous.body, 'metadata' in anonymous.body], [false, false])
  const bearer = await service.bearer('GET', path)
  assert.deepEqual(['awaiting_gate' in bearer.body, 'metadata' in bearer.body], [true, true])
  assert.equal((await service.anonymous('GET', path)).body.metadata, undefined)
  assert.equal((await service.anonymous('GET', path, undefined, { authorization: 'Bearer nonsense' })).status, 401)
})
