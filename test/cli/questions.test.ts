import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createInstallation, type TestInstallation } from '../helpers/installation.ts'

let installation: TestInstallation
before(async () => {
  installation = await createInstallation()
})
after(() => installation.close())
const run: TestInstallation['run'] = (argv, options) => installation.run(argv, options)
const id = '11111111-1111-4111-8111-111111111111'

for (const argv of [
  ['posts', 'archive', id],
  ['posts', 'archive', '11111111'],
  ['tasks', 'reject', id, '--feedback', 'no', '--final']
]) {
  test(`galley ${argv.join(' ')}: nobody is asked about what is not there`, async () => {
    const { status, err } = await run(argv, { answer: 'y' })
    assert.equal(status, 1)
    assert.match(err, /^error: /)
    assert.doesNotMatch(err, /y\/N/)
  })
}

test('archiving asks about the post by its slug, which a prefix of its id has found', async () => {
  const db = await installation.db()
  await db.query(
    `insert into posts (post_id, slug, title, content, content_html, status) values ($1, 'tides', 'Tides', '', '', 'draft')`,
    [id]
  )
  const declined = await run(['posts', 'archive', '11111111'], { answer: 'n' })
  assert.deepEqual(
    [declined.status, declined.err.split('\n')[0]],
    [1, 'Archive the post tides? Readers no longer find it. [y/N]']
  )
  assert.deepEqual(await db.query('select status from posts'), [{ status: 'draft' }])
})

test('a consumer’s new client is asked about only where an old one is revoked, and only a person is', async () => {
  const argv = ['auth', 'migrate-brain']
  const first = await run(argv, { answer: 'n' })
  assert.equal(first.status, 0, first.err)
  const [, clientId = ''] = /client_id +(\S+)/.exec(first.out) ?? []
  const declined = await run(argv, { answer: 'n' })
  assert.deepEqual([declined.status, declined.out], [1, ''])
  assert.ok(
    declined.err.startsWith(`Revoke ${clientId}, the client of brain? What uses it stops working at once. [y/N]`)
  )
  assert.equal((await run(['auth', 'mint-token', '--client', 'brain'])).status, 0)
  assert.match((await run(argv)).out, new RegExp(`The client ${clientId} was revoked`))
})
