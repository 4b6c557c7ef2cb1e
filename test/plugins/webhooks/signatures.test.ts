import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { AuthError } from '../../../core/index.ts'
import { verifySendgrid, verifyStandard, verifyStripe } from '../../../plugins/webhooks/signatures.ts'
import { standard } from './sign.ts'

const body = (text: string) => Buffer.from(text)
const isRefused = (work: () => void) => assert.throws(work, AuthError)

describe("Standard Webhooks' test vector", () => {
  // Published with the specification; whsec_ is left out, so that no scanner takes it for a secret of somebody.
  const secret = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
  const seconds = 1_614_265_330
  const sent = '{"test": 2432232314}'
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
  }
  const at = (offset: number) => new Date((seconds + offset) * 1000)

  test('is right, under the names of Svix, too', () => {
    assert.equal(new Webhook(secret).sign(id, at(0), sent), headers['webhook-signature'])
    verifyStandard(secret, { body: body(sent), headers }, at(0))
    verifyStandard(`whsec_${secret}`, { body: body(sent), headers }, at(0))
    const svix = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.replace('webhook', 'svix'), value])
    )
    verifyStandard(secret, { body: body(sent), headers: svix }, at(0))
  })

  test('is right for 300 s, either way', () => {
    for (const offset of [-300, 300]) verifyStandard(secret, { body: body(sent), headers }, at(offset))
    for (const offset of [-301, 301]) isRefused(() => verifyStandard(secret, { body: body(sent), headers }, at(offset)))
  })

  test('is wrong for another byte, id, time, secret or version', () => {
    isRefused(() => verifyStandard(secret, { body: body(`${sent} `), headers }, at(0)))
    for (const [name, value] of [
      ['webhook-id', 'msg_other'],
      ['webhook-timestamp', String(seconds + 1)],
      ['webhook-signature', headers['webhook-signature'].replace('v1,', 'v1a,')],
      ['webhook-signature', '']
    ] as const)
      isRefused(() => verifyStandard(secret, { body: body(sent), headers: { ...headers, [name]: value } }, at(0)))
    isRefused(() => verifyStandard(secret.toLowerCase(), { body: body(sent), headers }, at(0)))
    const unnamed = standard(secret, sent, { id: '', at: seconds * 1000 })
    isRefused(() => verifyStandard(secret, { body: body(sent), headers: unnamed }, at(0)))
  })
})

describe("Stripe's signature", () => {
  const secret = 'whsec_of_the_endpoint'
  const seconds = 1_700_000_000
  const sent = '{"id":"evt_1"}'
  const signed = (key: string, time = seconds) => createHmac('sha256', key).update(`${time}.${sent}`).digest('hex')
  const verify = (header: string, offset = 0, text = sent) =>
    verifyStripe(
      secret,
      { body: body(text), headers: { 'stripe-signature': header } },
      new Date((seconds + offset) * 1000)
    )

  test('is taken from any v1, while a secret is rolled', () => {
    verify(`t=${seconds},v1=${signed(secret)}`)
    verify(`t=${seconds},v1=${signed('the old one')},v1=${signed(secret)},v0=abc`, 300)
  })

  test('is refused when it is old, forged, of another scheme, time or body', () => {
    const right = `t=${seconds},v1=${signed(secret)}`
    isRefused(() => verify(right, 301))
    isRefused(() => verify(right, -301))
    isRefused(() => verify(right, 0, `${sent} `))
    for (const header of [
      '',
      `v1=${signed(secret)}`,
      `t=${seconds}`,
      `t=${seconds},v0=${signed(secret)}`,
      `t=${seconds},v1=${signed('guessed')}`,
      `t=${seconds + 1},v1=${signed(secret)}`,
      `t=${seconds},v1=`
    ])
      isRefused(() => verify(header))
    for (const header of [`t=soon,v1=${signed(secret)}`, 't=,v1='])
      assert.throws(() => verify(header), /timestamp is missing or unreadable: t= in Stripe-Signature must be whole/)
  })
})

describe("SendGrid's own example", () => {
  const key =
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g=='
  const signature = 'MEUCIGHQVtGj+Y3LkG9fLcxf3qfI10QysgDWmMOVmxG0u6ZUAiEAyBiXDWzM+uOe5W0JuG+luQAbPIqHh89M15TluLtEZtM='
  const event = {
    email: 'hello@world.com',
    event: 'dropped',
    reason: 'Bounced Address',
    sg_event_id: 'ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA',
    sg_message_id: 'LRzXl_NHStOGhQ4kofSm_A.filterdrecv-p3mdw1-756b745b58-kmzbl-18-5F5FC76C-9.0',
    'smtp-id': '<LRzXl_NHStOGhQ4kofSm_A@ismtpd0039p1iad1.sendgrid.net>',
    timestamp: 1_600_112_492
  }
  const sent = `${JSON.stringify([event])}\r\n`
  const verify = (text: string, timestamp: string, by = signature) => {
    const name = 'x-twilio-email-event-webhook'
    const headers = { [`${name}-timestamp`]: timestamp, [`${name}-signature`]: by }
    verifySendgrid(key, { body: body(text), headers }, new Date())
  }

  test('is right, and wrong for another byte, time or signature', () => {
    verify(sent, '1600112502')
    isRefused(() => verify(sent.trimEnd(), '1600112502'))
    isRefused(() => verify(sent, '1600112503'))
    for (const forged of ['', 'AAAA', signature.toLowerCase()]) isRefused(() => verify(sent, '1600112502', forged))
  })
})
