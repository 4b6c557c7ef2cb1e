import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { makePublicPost } from '../../helpers/public-post.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'
import { decoded, startMailServer } from './mail-server.ts'

let service: TestService
let server: Awaited<ReturnType<typeof startMailServer>>
before(async () => {
  server = await startMailServer()
  service = await startService({
    settings: { smtp_url: server.url, mail_from: 'The Tides <news@example.com>', subscribe_captcha: 'false' }
  })
})
after(async () => {
  await service.close()
  await server.close()
})
beforeEach(async () => {
  await service.db.script(
    `delete from newsletter_sends; delete from newsletter_subscribers; delete from newsletter_suppressions;
     delete from newsletter_signups; delete from newsletter_rates`
  )
  server.behave({})
  server.received.length = 0
})

const form = { 'content-type': 'application/x-www-form-urlencoded' }
/** Signs up and waits until a job has handled it. */
async function signUp(email: string) {
  const answer = await service.anonymous('POST', '/subscribe', { email })
  assert.equal(answer.status, 202, JSON.stringify(answer.body))
  await until(async () => (await service.db.query('select from newsletter_signups')).length === 0)
  return answer
}
const tokenIn = (raw: string, path: string): string => {
  const token = new RegExp(`${path}\\?token=([\\w-]+)`).exec(decoded(raw))?.[1]
  assert.ok(token, raw)
  return token
}
async function confirmed(email: string): Promise<void> {
  await signUp(email)
  await until(() => server.to(email).length > 0)
  const token = tokenIn(server.to(email)[0]?.raw ?? '', '/subscribe/confirm')
  const answer = await service.anonymous('POST', '/subscribe/confirm', `token=${token}`, form)
  assert.equal(answer.status, 200)
  server.received.length = 0
}
const run = async (...argv: string[]) => {
  const result = await service.run('newsletter', ...argv, '--json')
  assert.equal(result.status, 0, result.err)
  return JSON.parse(result.out)
}
const status = (send_id: string) => run('status', send_id)
const count = async () => (await service.anonymous('GET', '/subscribers/count')).body.count

test('a reader subscribes with two clicks, gets a post, and leaves with one', async () => {
  await confirmed('Ada@Example.com')
  assert.equal(await count(), 1)
  const post = await makePublicPost(service, {
    title: 'Ebb & flow',
    content: '# Ebb & flow\n\nThe sea [rises](/posts/moon).\n\n![A chart](/images/chart.png)'
  })
  const held = await run('send', post.post_id)
  assert.equal(held.status, 'held')
  const gates = await service.run('gates', 'approve', held.send_id, '--gate', 'newsletter_send')
  assert.equal(gates.status, 0, gates.err)
  await until(async () => (await status(held.send_id)).status === 'finished')
  const [mail] = server.received
  assert.ok(mail)
  assert.equal(mail.to, 'Ada@example.com')
  assert.equal(mail.headers.subject, 'Ebb & flow')
  assert.equal(mail.headers.from, 'The Tides <news@example.com>')
  assert.match(mail.headers['message-id'] ?? '', new RegExp(`^<${held.send_id}\\.[0-9a-f-]{36}@example\\.com>$`))
  assert.equal(mail.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
  const text = decoded(mail.raw)
  assert.match(text, /The sea \[rises\]\(http:\/\/127\.0\.0\.1:\d+\/posts\/moon\)/)
  assert.match(text, /<img style="[^"]*" src="http:\/\/127\.0\.0\.1:\d+\/images\/chart\.png" alt="A chart"/)
  assert.doesNotMatch(text, /unsubscribe\.invalid/)
  assert.deepEqual((await status(held.send_id)).recipients, {
    ...{ queued: 0, sending: 0, sent: 1, unanswered: 0, refused: 0, bounced: 0, complained: 0, suppressed: 0, total: 1 }
  })

  const target = /<(http[^>]*\/unsubscribe\?token=[^>]*)>/.exec(mail.headers['list-unsubscribe'] ?? '')?.[1]
  assert.ok(target)
  const { pathname, search } = new URL(target)
  const left = await service.anonymous('POST', `${pathname}${search}`, 'List-Unsubscribe=One-Click', form)
  assert.deepEqual([left.status, left.body], [200, { unsubscribed: true }])
  assert.equal(await count(), 0)
})
