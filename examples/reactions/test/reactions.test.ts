import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { startTestService, type TestService, testPlugin, until } from 'galley/testing'
import reactions from '../src/plugin.ts'

await testPlugin(reactions)

let service: TestService
let post_id: string
before(async () => {
  service = await startTestService({ plugins: [reactions] })
  const file = path.join(service.home, 'post.md')
  writeFileSync(file, '# How tides follow the moon\n\nTwice a day.')
  const { out } = await service.run('posts', 'create', '--from-file', file, '--json')
  post_id = JSON.parse(out).post_id
  await service.run('posts', 'publish', post_id)
})
after(() => service.close())

const counts = async () => (await service.anonymous('GET', `/api/reactions/${post_id}`)).body.items

test('a reader reacts with one of the kinds, and all see how often', async () => {
  const { status } = await service.anonymous('POST', `/api/reactions/${post_id}`, { kind: 'like' })
  assert.equal(status, 201)
  assert.deepEqual(await counts(), [{ kind: 'like', count: 1 }])
  const refused = await service.anonymous('POST', `/api/reactions/${post_id}`, { kind: 'shrug' })
  assert.deepEqual(refused.body.errors, { kind: 'must be one of like, insightful' })
})

test('while the gate is on a reaction waits for a decision', async () => {
  await service.bearer('PUT', '/api/settings/pipeline_gate_reaction_review', { value: 'on' })
  const { body } = await service.anonymous('POST', `/api/reactions/${post_id}`, {
    kind: 'insightful',
    note: 'The moon!'
  })
  assert.equal(body.status, 'held')
  assert.deepEqual(await counts(), [{ kind: 'like', count: 1 }])
  const approved = await service.run('gates', 'approve', body.reaction_id, '--gate', 'reaction_review')
  assert.equal(approved.status, 0, approved.err)
  assert.equal((await counts()).length, 2)
})

test('the command shows the newest first', async () => {
  const { out } = await service.run('reactions', 'list', '--json')
  assert.deepEqual(
    JSON.parse(out).items.map(({ kind }: { kind: string }) => kind),
    ['insightful', 'like']
  )
})

test('a withdrawn post loses its reactions', async () => {
  const { err, status } = await service.run('posts', 'unpublish', post_id)
  assert.equal(status, 0, err)
  await until(async () => (await service.db.query('select from reactions')).length === 0)
})
