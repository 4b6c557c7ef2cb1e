import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createSecrets } from '../../../core/secrets.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { hex, standard } from './sign.ts'

const alertSecret = 'alert secret of more than 16 bytes'
const paymentSecret = 'payment secret of as many'
const mailSecret = `whsec_${Buffer.from('mail secret of 24 bytes!').toString('base64')}`
const body = '{"type":"invoice.paid","title":"Disk full","n":1}'

let service: TestService
before(async () => {
  const settings = {
    alertmanager_webhook_secret: alertSecret,
    payments_webhook_secret: paymentSecret,
    email_webhook_secret: mailSecret
  }
  service = await startService({ worker: false, settings })
})
after(() => service.close())
beforeEach(() => service.db.script('truncate webhook_deliveries, alert_events, revenue_events, subscriber_events'))

const deliver = (path: string, headers: Record<string, string>, sent: string = body) =>
  service.anonymous('POST', path, sent, { 'content-type': 'application/json', ...headers })
const rows = (table: string) =>
  service.db.query<{ event_id: string; event_type: string; payload: unknown }>(`select * from ${table}`)

interface Form {
  name: string
  path: string
  table: string
  sign(sent: string): Record<string, string>
}
const alert = (sent: string) => ({ 'x-signature-256': `sha256=${hex(alertSecret, sent)}` })
const payment = (sent: string) => ({ 'x-signature': hex(paymentSecret, sent) })
const forms: Form[] = [
  { name: 'an alert', path: '/api/webhooks/alert-router', table: 'alert_events', sign: alert },
  { name: 'an alert to be routed', path: '/alert-router', table: 'alert_events', sign: alert },
  {
    ...{ name: "Grafana's alert", path: '/api/webhooks/alert-router', table: 'alert_events' },
    sign: sent => ({ 'x-grafana-alerting-signature': hex(alertSecret, sent) })
  },
  { name: 'a payment', path: '/api/webhooks/payments-provider', table: 'revenue_events', sign: payment },
  {
    ...{ name: 'a mail event', path: '/api/webhooks/email-provider', table: 'subscriber_events' },
    sign: sent => standard(mailSecret, sent)
  },
  {
    ...{ name: 'a mail event with svix names', path: '/api/webhooks/email-provider', table: 'subscriber_events' },
    sign: sent => standard(mailSecret, sent, { prefix: 'svix' })
  }
]

for (const { name, path, table, sign } of forms) {
  describe(name, () => {
    test('is stored as it came', async () => {
      const answer = await deliver(path, sign(body))
      assert.equal(answer.status, 202, JSON.stringify(answer.body))
      assert.deepEqual(Object.keys(answer.body).sort(), ['accepted', 'duplicate', 'id'])
      assert.deepEqual([answer.body.accepted, answer.body.duplicate], [true, false])
      const [row, ...others] = await rows(table)
      assert.deepEqual([row?.event_type, row?.payload, others], ['invoice.paid', JSON.parse(body), []])
    })

    test('delivered again is acknowledged with the same id and stored once', async () => {
      const first = await deliver(path, sign(body))
      const again = await deliver(path, sign(body))
      assert.deepEqual([again.status, again.body], [202, { accepted: true, duplicate: true, id: first.body.id }])
      assert.equal((await rows(table)).length, 1)
    })

    test('delivered many times at once is stored once', async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => deliver(path, sign(body))))
      assert.deepEqual(new Set(answers.map(answer => answer.status)), new Set([202]))
      assert.equal(answers.filter(answer => !answer.body.duplicate).length, 1)
      assert.equal(new Set(answers.map(answer => answer.body.id)).size, 1)
      assert.equal((await rows(table)).length, 1)
    })

    test('is refused without a signature, with a wrong one, and with a changed body', async () => {
      const signed = sign(body)
      const spoiled = Object.fromEntries(Object.entries(signed).map(([key, value]) => [key, `${value}0`]))
      const attempts: [Record<string, string>, string][] = [
        [{}, body],
        [spoiled, body],
        [Object.fromEntries(Object.keys(signed).map(key => [key, ''])), body],
        [signed, `${body} `],
        [signed, '']
      ]
      for (const [headers, sent] of attempts) {
        const answer = await deliver(path, headers, sent)
        assert.deepEqual([answer.status, answer.body.error_code], [401, 'UNAUTHORIZED'], JSON.stringify(headers))
      }
      assert.deepEqual(await rows(table), [])
    })

    for (const sent of [
      '',
      'no json',
      '[]',
      'null',
      '"text"',
      '{"a":"\\u0000"}',
      '{"a":1',
      '\ufeff{}',
      '{"a":"\\ud800"}',
      '{"\\udfff":1}'
    ]) {
      test(`is refused when its signed body is ${sent || 'empty'}`, async () => {
        const answer = await deliver(path, sign(sent), sent)
        assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [400, ['body']])
        assert.deepEqual(await rows(table), [])
      })
    }

    test('is read whatever its content type', async () => {
      for (const type of ['application/json; charset=utf-8', 'text/plain', 'application/x-www-form-urlencoded']) {
        assert.equal((await deliver(path, { ...sign(body), 'content-type': type })).status, 202, type)
      }
    })
  })
}

test('a nested or poisonous field and a large number are data, stored as they came', async () => {
  const sent = `{"__proto__":{"a":1},"deep":${'['.repeat(40)}${']'.repeat(40)},"amount":12345678901234567890.01}`
  assert.equal((await deliver('/api/webhooks/payments-provider', payment(sent), sent)).status, 202)
  const [row] = await service.db.query<{ text: string }>('select payload::text as text from revenue_events')
  assert.match(row?.text ?? '', /"__proto__": \{"a": 1\}/)
  assert.match(row?.text ?? '', /"amount": 12345678901234567890\.01/)
})

for (const [what, sent] of [
  ['nested 100,000 levels deep', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['with a number beyond all bounds', '{"a":1e999999}'],
  ['with a number too small for the database', '{"a":1e-400000}'],
  ['with a zero that has too large an exponent', '{"a":[0E+400000]}'],
  ['with a number of 20,000 digits', `{"a":0.${'0'.repeat(20_000)}1}`],
  ['with a number whose exponent has 1,000 digits', `{"a":{"b":1e-${'9'.repeat(1_000)}}}`]
] as const) {
  test(`a signed body ${what} is 400`, async () => {
    const answer = await deliver('/alert-router', alert(sent), sent)
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [400, ['body']])
  })
}

test('a body without a content type is read, and one that is not UTF-8 is 400', async () => {
  const send = (payload: Buffer) =>
    service.app.inject({
      ...{ method: 'POST', url: '/api/webhooks/payments-provider', payload },
      headers: { 'x-signature': hex(paymentSecret, payload) }
    })
  assert.equal((await send(Buffer.from(body))).statusCode, 202)
  assert.equal((await send(Buffer.from([...Buffer.from('{"a":"'), 0xff, ...Buffer.from('"}')]))).statusCode, 400)
})

test('a title cut within a character is routed all the same', async () => {
  const sent = JSON.stringify({ title: `${'x'.repeat(199)}😀` })
  assert.equal((await deliver('/alert-router', alert(sent), sent)).status, 202)
})

test('a backslash before u0000 is text, not a NUL', async () => {
  const sent = '{"a":"\\\\u0000"}'
  assert.equal((await deliver('/api/webhooks/payments-provider', payment(sent), sent)).status, 202)
  assert.deepEqual((await rows('revenue_events'))[0]?.payload, { a: '\\u0000' })
})

test('a signature in capitals is the same signature', async () => {
  const headers = { 'x-signature': hex(paymentSecret, body).toUpperCase() }
  assert.equal((await deliver('/api/webhooks/payments-provider', headers)).status, 202)
})

test('an X-Signature-256 without its sha256= is none', async () => {
  const unprefixed = { 'x-signature-256': hex(alertSecret, body) }
  for (const path of ['/alert-router', '/api/webhooks/alert-router']) {
    assert.equal((await deliver(path, unprefixed)).status, 401)
    assert.equal((await deliver(path, { 'x-signature-256': `sha512=${hex(alertSecret, body)}` })).status, 401)
  }
})

test('a signature of one sender is none of another', async () => {
  const headers = { 'x-signature-256': `sha256=${hex(paymentSecret, body)}`, 'x-signature': hex(alertSecret, body) }
  for (const path of ['/alert-router', '/api/webhooks/payments-provider'])
    assert.equal((await deliver(path, headers)).status, 401)
})

describe('a mail event', () => {
  const path = '/api/webhooks/email-provider'

  for (const [seconds, status] of [
    // The limit is 300 s, and the clock goes on while a busy machine gets to it.
    [-301, 401],
    [-240, 202],
    [299, 202],
    [360, 401]
  ] as const) {
    test(`signed ${seconds} s from now is answered with ${status}`, async () => {
      const answer = await deliver(path, standard(mailSecret, body, { at: Date.now() + seconds * 1000 }))
      assert.equal(answer.status, status)
    })
  }

  test('counts as delivered by its id, not its body', async () => {
    const first = await deliver(path, standard(mailSecret, body, { id: 'a' }))
    const other = await deliver(path, standard(mailSecret, body, { id: 'b' }))
    const again = await deliver(
      path,
      standard(mailSecret, '{"changed":true}', { id: 'a', at: Date.now() + 5_000 }),
      '{"changed":true}'
    )
    assert.notEqual(other.body.id, first.body.id)
    assert.deepEqual(again.body, { accepted: true, duplicate: true, id: first.body.id })
  })

  test('with a very long id is known again', async () => {
    const id = 'x'.repeat(5_000)
    const first = await deliver(path, standard(mailSecret, body, { id }))
    const again = await deliver(path, standard(mailSecret, body, { id }))
    assert.deepEqual([first.status, again.body.duplicate], [202, true])
  })

  test('may carry several signatures while secrets change', async () => {
    const headers = standard(mailSecret, body)
    const several = { ...headers, 'webhook-signature': `v1a,abc v1,AAAA ${headers['webhook-signature']}` }
    assert.equal((await deliver(path, several)).status, 202)
    const none = { ...headers, 'webhook-signature': headers['webhook-signature']?.replace('v1,', 'v2,') ?? '' }
    assert.equal((await deliver(path, none)).status, 401)
  })

  for (const changed of ['webhook-id', 'webhook-timestamp']) {
    test(`with another ${changed} than the signed one is refused`, async () => {
      const headers = standard(mailSecret, body)
      const value = changed === 'webhook-id' ? 'msg_2' : String(Number(headers['webhook-timestamp']) + 1)
      assert.equal((await deliver(path, { ...headers, [changed]: value })).status, 401)
    })
  }

  for (const timestamp of ['soon', '-1', '1e9', '']) {
    test(`with the timestamp ${JSON.stringify(timestamp)} is refused`, async () => {
      const headers = { ...standard(mailSecret, body), 'webhook-timestamp': timestamp }
      const answer = await deliver(path, headers)
      assert.equal(answer.status, 401)
      assert.match(answer.body.message, /timestamp is missing or unreadable: webhook-timestamp must be whole seconds/)
    })
  }
})

test('a webhook without a secret in the settings is 503, whatever it is signed with', async () => {
  const keys = ['alertmanager_webhook_secret', 'payments_webhook_secret', 'email_webhook_secret']
  for (const key of keys) await service.kernel.settings.setActive(key, false)
  try {
    for (const { path, sign, table } of forms) {
      for (const headers of [
        {},
        sign(body),
        { 'x-signature': hex('', body), 'x-signature-256': `sha256=${hex('', body)}` }
      ]) {
        const answer = await deliver(path, headers)
        assert.deepEqual([answer.status, answer.body.error_code], [503, 'SERVICE_UNAVAILABLE'])
        assert.match(answer.body.message, /set the setting \w+_secret/)
      }
      assert.deepEqual(await rows(table), [])
    }
  } finally {
    for (const key of keys) await service.kernel.settings.setActive(key, true)
  }
})

const short: [key: string, secret: string][] = [
  ['alertmanager_webhook_secret', 'fifteen bytes !'],
  ['payments_webhook_secret', 'x'],
  ['email_webhook_secret', 'whsec_'],
  ['email_webhook_secret', `whsec_${Buffer.from('fifteen bytes !').toString('base64')}`],
  ['email_webhook_secret', 'whsec_****************************************']
]
for (const [key, secret] of short) {
  test(`${key} of under 16 bytes is refused: ${secret.length} characters`, async () => {
    const { status, body: refusal } = await service.bearer('PUT', `/api/settings/${key}`, { value: secret })
    assert.equal(status, 400)
    assert.match(refusal.errors.value, /^must be at least 16 bytes/)
    assert.ok(secret.length < 7 || !JSON.stringify(refusal).includes(secret))
  })
}

test('a short secret that was stored before opens nothing', async () => {
  const { settings } = service.kernel
  for (const [key, path] of [
    ['payments_webhook_secret', '/api/webhooks/payments-provider'],
    ['alertmanager_webhook_secret', '/alert-router']
  ] as const) {
    const [stored] = await service.db.query<{ value: string }>('select value from app_settings where key = $1', [key])
    // Encrypted under its own name, as a release before this rule stored it.
    const encrypted = createSecrets(Buffer.alloc(32, 7)).encrypt(key, 'short')
    await service.db.query('update app_settings set value = $2 where key = $1', [key, encrypted])
    await settings.load()
    const headers = { 'x-signature': hex('short', body), 'x-signature-256': `sha256=${hex('short', body)}` }
    assert.equal((await deliver(path, headers)).status, 503, key)
    await service.db.query('update app_settings set value = $2 where key = $1', [key, stored?.value ?? ''])
    await settings.load()
  }
})

test('a body over the limit is 413', async () => {
  const sent = JSON.stringify({ a: 'x'.repeat(1_048_577) })
  const answer = await deliver('/api/webhooks/payments-provider', payment(sent), sent)
  assert.deepEqual([answer.status, answer.body.error_code], [413, 'PAYLOAD_TOO_LARGE'])
})
