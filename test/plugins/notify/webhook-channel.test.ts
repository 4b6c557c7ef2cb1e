import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { DeliveryError, Notice } from '../../../plugins/notify/index.ts'
import { bodyOf, createWebhookChannel, kindOf } from '../../../plugins/notify/webhook-channel.ts'
import { type HookAnswer, startHookServer } from './hook-server.ts'

const kinds: [url: string, kind: 'slack' | 'discord'][] = [
  ['https://hooks.slack.com/services/T/B/x', 'slack'],
  ['https://discord.com/api/webhooks/1/x', 'discord'],
  ['https://ptb.discord.com/api/webhooks/1/x', 'discord'],
  ['https://discordapp.com/api/v10/webhooks/1/x', 'discord'],
  ['https://discord.com/api/webhooks/1/x/slack', 'slack'],
  ['http://127.0.0.1:9000/api/webhooks/1/x', 'discord'],
  ['http://127.0.0.1:9000/services/T/B/x', 'slack'],
  ['https://chat.example.org/hooks/x', 'slack']
]
for (const [url, kind] of kinds) test(`${url} is taken for ${kind}`, () => assert.equal(kindOf(url), kind))

const notice = (title: string, changes: Partial<Notice> = {}): Notice => ({ title, lines: [], actions: [], ...changes })

describe('what came from outside means nothing', () => {
  const cases: [title: string, slack: string, discord: string][] = [
    ['a <!channel> & <@U1> b', 'a &lt;!channel&gt; &amp; &lt;@U1&gt; b', 'a \\<!channel\\> & \\<@\u200bU1\\> b'],
    ['@everyone look', '@everyone look', '@\u200beveryone look'],
    ['*bold* _it_ `code`', '*bold* _it_ `code`', '\\*bold\\* \\_it\\_ \\`code\\`'],
    ['[text](http://x)', '[text](http://x)', '\\[text\\]\\(http://x\\)'],
    ['back\\slash', 'back\\slash', 'back\\\\slash']
  ]
  for (const [title, slack, discord] of cases) {
    test(JSON.stringify(title), () => {
      assert.deepEqual(bodyOf('slack', notice(title)), { text: slack })
      assert.deepEqual(bodyOf('discord', notice(title)), { content: discord, allowed_mentions: { parse: [] } })
    })
  }
})

test('the commands of the command line and the link are shown, and survive a text that is too long', () => {
  const actions = [{ label: 'Approve', chat: '/approve_topic 1', hint: '', cli: 'galley topics approve 1' }]
  const long = notice('_😀'.repeat(3_000), { actions, link: 'http://127.0.0.1:8000/preview/a_b' })
  const { content } = bodyOf('discord', long) as { content: string }
  assert.ok(content.length <= 2000 && content.isWellFormed())
  assert.ok(content.endsWith('…\nhttp://127.0.0.1:8000/preview/a_b\n`galley topics approve 1`'))
  assert.doesNotMatch(content, /\\…/)
})

describe('an answer', () => {
  let hooks: Awaited<ReturnType<typeof startHookServer>>
  before(async () => {
    hooks = await startHookServer()
  })
  after(() => hooks.close())

  const send = (url: string) => {
    const values: Record<string, string> = { chat_webhook_url: url, chat_webhook_kind: 'auto' }
    const channel = createWebhookChannel({ get: key => values[key] as never }, () => new Date('2026-11-22T10:00:00Z'))
    return channel.send(notice('Hello'), null, new AbortController().signal)
  }
  const says =
    (status: number, body = '', headers: Record<string, string> = {}): HookAnswer =>
    response =>
      response.writeHead(status, headers).end(body)

  test('that is a success is one, and the request is JSON', async () => {
    hooks.script(says(200, 'ok'))
    assert.deepEqual(await send(hooks.slack), { message_id: null })
    assert.deepEqual(hooks.received.at(-1), {
      path: '/services/T1/B1/secret',
      type: 'application/json',
      body: { text: 'Hello' }
    })
  })

  const refusals: [title: string, answer: HookAnswer, expected: Partial<DeliveryError>][] = [
    [
      '429 in a header',
      says(429, '', { 'retry-after': '7' }),
      { outcome: 'not_delivered', retryAfterSeconds: 7, isChannelDown: true }
    ],
    [
      '429 with a date',
      says(429, '', { 'retry-after': 'Sun, 22 Nov 2026 10:00:09 GMT' }),
      { outcome: 'not_delivered', retryAfterSeconds: 9, isChannelDown: true }
    ],
    [
      '429 in the body',
      says(429, '{"retry_after": 1.5}'),
      { outcome: 'not_delivered', retryAfterSeconds: 1.5, isChannelDown: true }
    ],
    ['500', says(500), { outcome: 'not_delivered', retryAfterSeconds: null, isChannelDown: false }],
    ['404', says(404, 'no_service'), { outcome: 'not_delivered', isChannelDown: true }],
    [
      'a redirect',
      says(302, '', { location: 'http://127.0.0.1:1/' }),
      { outcome: 'not_delivered', isChannelDown: true }
    ],
    ['400', says(400, 'invalid_payload'), { outcome: 'refused' }],
    ['none', response => response.destroy(), { outcome: 'unknown', isChannelDown: true }]
  ]
  for (const [title, answer, expected] of refusals) {
    test(`${title}: ${expected.outcome}, without the address in the reason`, async () => {
      hooks.script(answer)
      await assert.rejects(send(hooks.discord), (error: DeliveryError) => {
        const { outcome, retryAfterSeconds, isChannelDown } = error
        assert.partialDeepStrictEqual({ outcome, retryAfterSeconds, isChannelDown }, expected)
        assert.doesNotMatch(error.message, /secret|127\.0\.0\.1/)
        return true
      })
    })
  }

  for (const url of ['http://[127.0.0.1/x', 'http://127.0.0.1:99999/x', 'http://user:secret@127.0.0.1/x']) {
    test(`cannot come from ${url}: nothing was sent, and the reason says what to correct`, () =>
      assert.rejects(send(url), (error: DeliveryError) => {
        assert.deepEqual([error.outcome, error.isChannelDown], ['not_delivered', true])
        assert.match(error.message, /^chat_webhook_url is not an address that can be asked/)
        assert.doesNotMatch(error.message, /secret/)
        return true
      }))
  }

  test('from nobody: nothing was sent', async () => {
    const gone = await startHookServer()
    await gone.close()
    await assert.rejects(send(gone.slack), { outcome: 'not_delivered', isChannelDown: true })
  })

  test('at a port that HTTP clients refuse: nothing was sent, and the reason says so', () =>
    assert.rejects(send('http://127.0.0.1:4190/hook'), {
      outcome: 'not_delivered',
      isChannelDown: true,
      message: 'The chat service needs another port: HTTP clients refuse this one (bad port).'
    }))
})
