import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { runProgram } from '../../../cli/framework/run.ts'
import { AuthError, CONTRACT, definePlugin, InputError, on, type Plugin } from '../../../core/index.ts'
import { handleJob } from '../../../plugins/webhooks/inbox/handling.ts'
import { createInbox } from '../../../plugins/webhooks/inbox/inbox.ts'
import { createWaker, type Waker } from '../../../plugins/webhooks/inbox/waker.ts'
import { type EmailEvent, EmailEventReceived, WebhooksService } from '../../../plugins/webhooks/index.ts'
import { startRelay } from '../../../plugins/webhooks/relay/relay.ts'
import { removeBodies } from '../../../plugins/webhooks/repository/deliveries.ts'
import { createSources } from '../../../plugins/webhooks/sources/sources.ts'
import { recordSession } from '../../../testing/session.ts'
import { findingOf } from '../../helpers/finding.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { startTelegramServer, type TelegramServer } from '../../helpers/telegram-server.ts'
import { until } from '../../helpers/until.ts'
import { alertmanagerPath, startAlertmanager } from './alertmanager.ts'
import { hex, shuffled } from './sign.ts'

const alertSecret = 'alert secret of more than 16 bytes'
const paymentSecret = 'payment secret of as many'
const stripeSecret = 'whsec of an endpoint at Stripe'
const sendgrid = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const mailSecret = `whsec_${Buffer.from('mail secret of 24 bytes!').toString('base64')}`

/** What a third party's plugin adds: a shop whose orders have a status, and what it reported. */
const shop = { secret: 'open sesame', statuses: new Map<string, string>(), late: [] as string[], failures: 0 }
const mails: (EmailEvent & { email: string | undefined })[] = []
let waker: Waker

interface Order {
  id: string
  order: string
  status: string
  at: string
  rank?: number
}
const orderOf = (body: Buffer): Order => JSON.parse(body.toString())
/** What is cut off stays so: another attempt does not help. */
function readOrder(body: Buffer): Order {
  try {
    return orderOf(body)
  } catch {
    throw new InputError({ body: 'is cut off' })
  }
}

const shopPlugin = definePlugin({
  name: 'shop',
  contract: CONTRACT,
  describe: "A third party's shop",
  needs: { webhooks: WebhooksService },
  setup(context) {
    waker = createWaker(context)
    context.needs.webhooks.addSource({
      name: 'my-shop',
      describe: 'An order of the shop, stored',
      secret: { setting: 'shop_secret', value: () => shop.secret },
      verify(secret, { headers }) {
        if (headers['x-shop'] !== secret) throw new AuthError('Not the shop.')
      },
      identify({ body }) {
        if (!body.toString().startsWith('{')) throw new InputError({ body: 'must be an order' })
        const { id, order, at, rank = 0 } = orderOf(body)
        return { id, type: 'order', order: { object: order, at: new Date(at), rank } }
      },
      async handle(_tx, { body }) {
        const { order, status } = readOrder(body)
        if (status === 'unreadable') throw new InputError({ body: 'has no price' })
        if (shop.failures > 0) {
          shop.failures -= 1
          throw new Error('The warehouse is away.')
        }
        shop.statuses.set(order, status)
      },
      async handleLate(_tx, { body }) {
        shop.late.push(orderOf(body).status)
      }
    })
    return {
      services: {},
      subscriptions: [
        on(EmailEventReceived, async mail => {
          mails.push({ ...mail, email: await context.needs.webhooks.findEmail(context.db, mail.id) })
        })
      ]
    }
  }
}) as Plugin

let telegram: TelegramServer
let service: TestService
before(async () => {
  telegram = await startTelegramServer()
  service = await startService({
    plugins: [shopPlugin],
    settings: {
      ...telegram.settings(),
      alertmanager_webhook_secret: alertSecret,
      payments_webhook_secret: paymentSecret,
      email_webhook_secret: mailSecret,
      stripe_webhook_secret: stripeSecret,
      sendgrid_webhook_public_key: sendgrid.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
    }
  })
})
after(async () => {
  await service.close()
  await telegram.close()
})
beforeEach(() => {
  shop.statuses.clear()
  shop.late.length = 0
  mails.length = 0
})
afterEach(async () => {
  await allHandled()
  await service.db.script(
    'truncate webhook_deliveries, webhook_objects, alert_events, alert_groups, revenue_events, subscriber_events'
  )
  telegram.messages.length = 0
})

/** Other messages may be late ones of the tests before. */
const alertsSent = () => telegram.messages.filter(({ text }) => text.startsWith('Alert'))
const query = <Row extends object>(sql: string, ...params: string[]) => service.db.query<Row>(sql, params)
const allHandled = () =>
  until(async () => (await query("select id from webhook_deliveries where state = 'waiting'")).length === 0, 'handled')
const states = async () => {
  await allHandled()
  const rows = await query<{ state: string; count: number }>(
    'select state, count(*) from webhook_deliveries group by state'
  )
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}
const send = (path: string, body: object | string, headers: (sent: string) => Record<string, string>) => {
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  return service.anonymous('POST', path, sent, { 'content-type': 'application/json', ...headers(sent) })
}
const sendOrder = (order: Order) => send('/api/webhooks/my-shop', order, () => ({ 'x-shop': shop.secret }))
const sendPayment = (payment: object) =>
  send('/api/webhooks/payments-provider', payment, sent => ({ 'x-signature': hex(paymentSecret, sent) }))
const sendAlert = (alert: object) =>
  send('/alert-router', alert, sent => ({ 'x-signature-256': `sha256=${hex(alertSecret, sent)}` }))
const sendMail = (id: string, mail: object | string) =>
  send('/api/webhooks/email-provider', mail, sent => {
    const now = new Date()
    return {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(mailSecret).sign(id, now, sent)
    }
  })

describe("a third party's source", () => {
  const paid: Order = { id: 'e1', order: 'o1', status: 'paid', at: '2026-11-20T10:00:00Z' }

  test('has an address, checks its own signatures, and names what is none of its bodies', async () => {
    assert.equal((await sendOrder(paid)).status, 202)
    const forged = await send('/api/webhooks/my-shop', paid, () => ({ 'x-shop': 'guessed' }))
    assert.deepEqual([forged.status, forged.body.message], [401, 'Not the shop.'])
    const other = await send('/api/webhooks/my-shop', 'no order', () => ({ 'x-shop': shop.secret }))
    assert.deepEqual([other.status, other.body.errors], [400, { body: 'must be an order' }])
  })

  test('loses nothing that it fails to identify', async () => {
    const sendText = (text: string) => send('/api/webhooks/my-shop', text, () => ({ 'x-shop': shop.secret }))
    const answers = [await sendText('{"cut off'), await sendText('{}'), await sendText('{}')]
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.duplicate]),
      [
        [202, false],
        [202, false],
        [202, true]
      ]
    )
    assert.equal((await query('select from webhook_deliveries')).length, 2)
  })

  test('is closed while it has no secret', async () => {
    shop.secret = ''
    const { status, body } = await sendOrder(paid)
    shop.secret = 'open sesame'
    assert.deepEqual([status, body.message], [503, 'This webhook is not set up: set the setting shop_secret.'])
  })

  test('is described in the API document', async () => {
    const document = await service.anonymous('GET', '/openapi.json')
    assert.equal(document.body.paths['/api/webhooks/my-shop'].post.operationId, 'receiveMyShopWebhook')
  })

  test('handles what is unreadable once, parks it with the reason, and tells the operator', async () => {
    const { body } = await sendOrder({ ...paid, status: 'unreadable' })
    assert.deepEqual(await states(), { parked: 1 })
    const { out } = await service.run('webhooks', 'show', body.id.slice(0, 8), '--json')
    const shown = JSON.parse(out)
    assert.deepEqual([shown.attempts, shown.error, JSON.parse(shown.body).id], [1, 'has no price', 'e1'])
    await until(
      () => telegram.messages.some(({ text }) => /^A webhook of my-shop could not be handled/.test(text)),
      'told'
    )
  })

  test('is tried again after a fault that may pass', async () => {
    shop.failures = 1
    await sendOrder(paid)
    assert.deepEqual(await states(), { handled: 1 })
    const [row] = await query<{ attempts: number }>('select attempts from webhook_deliveries')
    assert.deepEqual([row?.attempts, shop.statuses.get('o1')], [2, 'paid'])
  })

  test('is parked after eight attempts, and handled by a replay once the cause is gone', async () => {
    shop.failures = 100
    const { body } = await sendOrder(paid)
    await until(async () => {
      const due = "update webhook_deliveries set attempts = 7, not_before = now() where state = 'waiting' returning id"
      return (await query(due)).length > 0
    }, 'waiting')
    await until(async () => (await states()).parked === 1, 'parked')
    shop.failures = 0
    const replayed = await service.run('webhooks', 'replay', body.id)
    assert.match(replayed.out, /is handled again/)
    assert.deepEqual([await states(), shop.statuses.get('o1')], [{ handled: 1 }, 'paid'])
  })
})

test('what a stopped run claimed and did not try is given back, and has no attempt more', async () => {
  const stop = new AbortController()
  const source = { handle: async () => stop.abort() }
  const sources = { ...createSources(), handled: () => ['stopped'], find: () => source as never }
  await query(
    `insert into webhook_deliveries (source, event_id, event_type, body, body_bytes, not_before)
     select 'stopped', 'e' || n, 'order', '{}'::bytea, 2, now() from generate_series(1, 3) n`
  )
  const run = handleJob({ db: service.db, waker, sources, notify: undefined, log: service.kernel.log })
  await run.handle({} as never, { signal: stop.signal } as never)
  const rows = await query('select state, attempts, claim from webhook_deliveries order by number')
  assert.deepEqual(rows, [
    { state: 'handled', attempts: 1, claim: null },
    { state: 'waiting', attempts: 0, claim: null },
    { state: 'waiting', attempts: 0, claim: null }
  ])
  await query('delete from webhook_deliveries')
})

describe('the order of events', () => {
  const history = ['created', 'paid', 'packed', 'sent', 'returned'].map((status, hour) => ({
    status,
    order: 'o1',
    id: `e${hour}`,
    at: `2026-11-20T1${hour}:00:00Z`
  }))

  for (const seed of [1, 2, 3])
    test(`of an object is the sender's, doubled and shuffled (${seed})`, async () => {
      for (const order of shuffled([...history, ...history], seed)) await sendOrder(order)
      const { handled = 0, late = 0 } = await states()
      assert.deepEqual([handled + late, shop.late.length, shop.statuses.get('o1')], [5, late, 'returned'])
    })

  test('at the same time goes by the rank', async () => {
    const at = '2026-11-20T10:00:00Z'
    await sendOrder({ id: 'b', order: 'o2', status: 'updated', at, rank: 1 })
    await allHandled()
    await sendOrder({ id: 'a', order: 'o2', status: 'created', at })
    assert.deepEqual([await states(), shop.statuses.get('o2')], [{ handled: 1, late: 1 }, 'updated'])
  })

  test('holds through a replay of an older one', async () => {
    for (const order of history) {
      await sendOrder(order)
      await allHandled()
    }
    const { out } = await service.run('webhooks', 'replay', '--since', '1h', '--json')
    assert.deepEqual(JSON.parse(out), { replayed: 5, without_body: 0 })
    assert.deepEqual([await states(), shop.statuses.get('o1')], [{ handled: 1, late: 4 }, 'returned'])
  })
})

test('the same deliveries at two processes at once are stored once each', async () => {
  const delivery = (event: number) => ({
    source: 'my-shop',
    event_id: `race-${event}`,
    event_type: 'order',
    object: null,
    occurred_at: null,
    rank: 0,
    body: Buffer.from(JSON.stringify({ id: `race-${event}`, order: `o${event}`, status: 'paid' })),
    landing: null,
    is_handled_later: true,
    isRepeatHandled: false
  })
  const processes = [1, 2].map(() => createInbox({ db: service.db, waker }))
  const events = Array.from({ length: 40 }, (_, event) => event)
  const answers = await Promise.all(
    processes.flatMap((inbox, seed) =>
      shuffled([...events, ...events], seed + 1).map(async event => ({
        event,
        ...(await inbox.accept(delivery(event)))
      }))
    )
  )
  assert.equal(answers.filter(({ duplicate }) => !duplicate).length, events.length)
  assert.equal(new Set(answers.map(({ event, id }) => `${event} ${id}`)).size, events.length)
  assert.deepEqual(await states(), { handled: events.length })
  const [row] = await query<{ sum: number }>('select sum(deliveries)::int as sum from webhook_deliveries')
  assert.equal(row?.sum, 4 * events.length)
})

test('one that the database refuses takes no other with it', async () => {
  const inbox = createInbox({ db: service.db, waker })
  const accept = (event_id: string, body: string) =>
    inbox.accept({
      source: 'payments-provider',
      event_id,
      event_type: 'x',
      object: null,
      occurred_at: null,
      rank: 0,
      body: Buffer.from(body),
      landing: 'revenue_events',
      is_handled_later: true,
      isRepeatHandled: false
    })
  // The first is stored at once; the others wait for it and are stored together.
  const outcomes = await Promise.allSettled([
    accept('first', '{}'),
    accept('second', '{}'),
    accept('third', '{}'),
    accept('refused', 'no json'),
    accept('fourth', '{}')
  ])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled']
  )
})

describe('payments', () => {
  const revenue = async () => {
    await allHandled()
    return (await service.bearer('GET', '/api/revenue?months=120')).body.items
  }
  const payment = (fields: object) => ({ type: 'payment.succeeded', currency: 'eur', plan: 'Pro', ...fields })

  test('are summed exactly by month, currency and plan', async () => {
    const november = '2026-11-03T10:00:00Z'
    for (const fields of [
      { id: 1, amount: 0.1, occurred_at: november },
      { id: 2, amount: '0.20', occurred_at: november },
      { id: 3, amount_minor: 1999, occurred_at: november, plan: { name: 'Team' } },
      { id: 4, amount_minor: 500, currency: 'JPY', occurred_at: '2026-10-31T23:59:59Z' },
      { id: 5, type: 'payment.refunded', amount: '0.20', occurred_at: '2026-11-30T23:59:59Z' }
    ])
      assert.equal((await sendPayment(payment(fields))).status, 202)
    const [first, second, ...others] = await revenue()
    assert.deepEqual(first, {
      ...{ month: '2026-11', currency: 'EUR', payments: 3, refunds: 1, gross: '20.29', refunded: '0.20', net: '20.09' },
      plans: [
        { plan: 'Team', payments: 1, gross: '19.99' },
        { plan: 'Pro', payments: 2, gross: '0.30' }
      ]
    })
    assert.deepEqual([second.month, second.currency, second.gross, others], ['2026-10', 'JPY', '500', []])
    const { out } = await service.run('webhooks', 'revenue', '--months', '120')
    assert.match(out, /2026-11 +EUR +3 +20\.29 +0\.20 +20\.09/)
  })

  test('count once, corrected by a later event of the same payment and by no earlier one', async () => {
    const said = (hour: number, amount: string) =>
      payment({ payment_id: 'p1', amount, occurred_at: `2026-11-03T1${hour}:00:00Z` })
    for (const event of shuffled([said(1, '10.00'), said(3, '30.00'), said(2, '20.00')], 4)) await sendPayment(event)
    const [month] = await revenue()
    assert.deepEqual([month.payments, month.gross], [1, '30.00'])
    await service.run('webhooks', 'replay', '--since', '1h')
    assert.deepEqual((await revenue())[0].gross, '30.00')
  })

  test('of a sender whose clock is far ahead count when they came', async () => {
    await sendPayment(payment({ amount: '5.00', occurred_at: '2999-01-01T00:00:00Z' }))
    assert.deepEqual(
      (await revenue()).map(({ month }: { month: string }) => month.slice(0, 2)),
      ['20']
    )
  })

  test('of a sender whose empty time is before the year 1 count when they came', async () => {
    const occurred_at = '0001-01-01T00:00:00+01:00'
    for (const more of [{}, { payment_id: 'p1' }])
      assert.equal((await sendPayment(payment({ amount: '5.00', occurred_at, ...more }))).status, 202)
    assert.equal((await sendOrder({ id: 'o-1', order: 'o', status: 'paid', at: occurred_at })).status, 202)
    const [month, ...others] = await revenue()
    assert.deepEqual(
      [month.gross, month.month.slice(0, 2), others, await states()],
      ['10.00', '20', [], { handled: 3 }]
    )
  })

  test('whose amount cannot be read are parked, and what is no payment is only stored', async () => {
    await sendPayment(payment({ amount: 'a lot' }))
    await sendPayment({ type: 'payment.failed', amount: '5.00', currency: 'EUR' })
    assert.deepEqual([await states(), await revenue()], [{ parked: 1, handled: 1 }, []])
  })

  test('of Lemon Squeezy count the first payment of a subscription once', async () => {
    const attributes = { currency: 'USD', total: 1200, status: 'paid', created_at: '2026-11-03T10:00:00.000000Z' }
    const event = (event_name: string, type: string, more: object) => ({
      meta: { event_name },
      data: { type, id: '7', attributes: { ...attributes, ...more } }
    })
    await sendPayment(event('order_created', 'orders', { first_order_item: { variant_name: 'Gold' } }))
    await sendPayment(event('subscription_payment_success', 'subscription-invoices', { billing_reason: 'initial' }))
    await sendPayment(event('subscription_payment_success', 'subscription-invoices', { billing_reason: 'renewal' }))
    const [month] = await revenue()
    assert.deepEqual([month.payments, month.gross, month.plans[0].plan], [2, '24.00', 'Gold'])
  })
})

describe('mail events', () => {
  const bounced = {
    type: 'email.bounced',
    created_at: '2026-11-20T10:00:00.000Z',
    data: { email_id: 'm1', to: ['Ada <ada@example.org>'], bounce: { type: 'Permanent' } }
  }

  test('are stored with what was read, and told once each', async () => {
    const { body } = await sendMail('msg_1', bounced)
    await sendMail('msg_1', bounced)
    await sendMail('msg_2', { type: 'email.sent', data: { to: ['ada@example.org'] } })
    await allHandled()
    await until(() => mails.length > 0, 'told')
    assert.deepEqual(mails, [
      {
        ...{ id: body.id, kind: 'bounced', isPermanent: true, email: 'ada@example.org', messageId: 'm1' },
        at: '2026-11-20T10:00:00.000Z'
      }
    ])
  })

  test('of a mail to several are one each, and a replay tells them again under the same ids', async () => {
    await sendMail('msg_3', { type: 'email.delivered', data: { to: ['a@example.org', 'b@example.org', 'no address'] } })
    await allHandled()
    await until(() => mails.length === 2, 'told')
    await service.run('webhooks', 'replay', '--since', '1h', '--source', 'email-provider')
    await until(() => mails.length === 4, 'told again')
    assert.equal(new Set(mails.map(({ id, email }) => `${id} ${email}`)).size, 2)
    assert.equal((await query('select id from subscriber_events')).length, 2)
  })
})

describe('Stripe', () => {
  const at = Math.floor(Date.now() / 1000)
  const sendEvent = (event: object) =>
    send('/api/webhooks/stripe', event, sent => {
      const signature = createHmac('sha256', stripeSecret).update(`${at}.${sent}`).digest('hex')
      return { 'stripe-signature': `t=${at},v1=${signature}` }
    })
  const refunded = (id: string, created: number, amount_refunded: number, pending_webhooks = 1) => ({
    ...{ id, created, pending_webhooks, type: 'charge.refunded' },
    data: { object: { id: 'ch_1', amount_refunded, currency: 'eur' } }
  })

  test('is known by its ids, though a redelivery has other bytes, and a charge has its latest sum', async () => {
    const november = Date.UTC(2026, 10, 3) / 1000
    await sendEvent(refunded('evt_2', november + 2, 700))
    await sendEvent(refunded('evt_1', november + 1, 300))
    assert.equal((await sendEvent(refunded('evt_2', november + 2, 700, 0))).body.duplicate, true)
    await allHandled()
    const { items } = (await service.bearer('GET', '/api/revenue?months=120')).body
    assert.deepEqual([items.length, items[0].refunded, items[0].net], [1, '7.00', '-7.00'])
  })

  test('an event without an id is none of its events', async () => {
    const answer = await sendEvent({ no: 'id' })
    assert.deepEqual([answer.status, answer.body.errors], [400, { body: 'must be an event of Stripe: it has no id' }])
  })

  test('events of its test mode are stored and marked, and do not count', async () => {
    const november = Date.UTC(2026, 10, 3) / 1000
    await sendEvent({ ...refunded('evt_t', november + 9, 900), livemode: false })
    await sendEvent({ ...refunded('evt_l', november + 1, 300), livemode: true })
    await allHandled()
    const rows = await query('select event_id, amount::text, is_test, is_counted from revenue_events order by event_id')
    assert.deepEqual(rows, [
      { event_id: 'evt_l', amount: '3.00', is_test: false, is_counted: true },
      { event_id: 'evt_t', amount: '9.00', is_test: true, is_counted: false }
    ])
    const { items } = (await service.bearer('GET', '/api/revenue?months=120')).body
    assert.deepEqual([items.length, items[0].refunded], [1, '3.00'])
  })
})

describe('SendGrid', () => {
  const sendBatch = (events: object[], key = sendgrid.privateKey) =>
    send('/api/webhooks/sendgrid', JSON.stringify(events), sent => ({
      'x-twilio-email-event-webhook-timestamp': '1790000000',
      'x-twilio-email-event-webhook-signature': sign('sha256', Buffer.from(`1790000000${sent}`), key).toString('base64')
    }))
  const event = (sg_event_id: string, name: string, more: object = {}) => ({
    ...{ sg_event_id, event: name, email: 'ada@example.org', timestamp: 1_790_000_000, 'smtp-id': '<m1@example.org>' },
    ...more
  })

  test('is taken apart: each event counts once, whatever batch it comes in', async () => {
    const hard = event('1', 'bounce', { type: 'bounce' })
    const soft = event('2', 'bounce', { type: 'blocked' })
    await sendBatch([hard, soft, event('3', 'processed')])
    await sendBatch([soft, event('4', 'click'), hard])
    await allHandled()
    await until(() => mails.length === 3, 'told')
    assert.deepEqual(mails.map(({ kind, isPermanent, messageId }) => `${kind} ${isPermanent} ${messageId}`).sort(), [
      'bounced false <m1@example.org>',
      'bounced true <m1@example.org>',
      'clicked false <m1@example.org>'
    ])
    const [row] = await query<{ at: number }>("select (payload->>'timestamp')::int as at from subscriber_events")
    assert.equal(row?.at, 1_790_000_000)
  })

  test('is refused with another key, and what is no list is 400', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    assert.equal((await sendBatch([event('9', 'open')], other)).status, 401)
    const single = await send('/api/webhooks/sendgrid', '{}', sent => ({
      'x-twilio-email-event-webhook-timestamp': '1',
      'x-twilio-email-event-webhook-signature': sign('sha256', Buffer.from(`1${sent}`), sendgrid.privateKey).toString(
        'base64'
      )
    }))
    assert.deepEqual([single.status, Object.keys(single.body.errors)], [400, ['body']])
  })
})

describe('the relay', () => {
  const relayTo = (target = service.url, relayed: object[] = []) =>
    startRelay({ port: 0, target, secret: () => alertSecret, onRelayed: each => relayed.push(each) })
  const sendJson = (url: string, body: string, headers: Record<string, string> = {}) =>
    fetch(url, { method: 'POST', body, headers })

  test('signs what comes and answers what the service answers', async () => {
    const relayed: object[] = []
    const relay = await relayTo(service.url, relayed)
    try {
      const answer = await sendJson(relay.url, '{"title":"Relayed"}')
      assert.deepEqual([answer.status, (await answer.json()).duplicate], [202, false])
      assert.equal((await sendJson(`${relay.url}/api/webhooks/alert-router`, 'no json')).status, 400)
      await until(() => telegram.messages.some(({ text }) => text === 'Alert: Relayed'), 'told')
      assert.deepEqual(relayed, [
        { path: '/alert-router', bytes: 19, status: 202, error: null },
        { path: '/api/webhooks/alert-router', bytes: 7, status: 400, error: null }
      ])
    } finally {
      await relay.close()
    }
  })

  test('takes nothing of a web page, of another path or method, and nothing too large', async () => {
    const relay = await relayTo()
    try {
      assert.equal((await sendJson(relay.url, '{}', { origin: 'https://example.org' })).status, 403)
      assert.equal((await sendJson(relay.url, '{}', { 'sec-fetch-site': 'cross-site' })).status, 403)
      const rebound = httpRequest(relay.url, { method: 'POST', headers: { host: 'evil.example' } }).end('{}')
      const [response] = await once(rebound, 'response')
      assert.equal(response.statusCode, 403)
      response.resume()
      assert.equal((await sendJson(`${relay.url}/api/settings`, '{}')).status, 404)
      assert.equal((await fetch(relay.url)).status, 405)
      assert.equal((await sendJson(relay.url, `"${'x'.repeat(1_048_576)}"`)).status, 413)
    } finally {
      await relay.close()
    }
  })

  test('hands on nothing that was cut, and says 502 while the service is away', async () => {
    const closedServer = createServer().listen(0, '127.0.0.1')
    await once(closedServer, 'listening')
    const address = closedServer.address()
    const port = typeof address === 'object' ? address?.port : 0
    closedServer.close()
    const relayed: { status?: number }[] = []
    const relay = await relayTo(`http://127.0.0.1:${port}`, relayed)
    try {
      const cut = connect(Number(new URL(relay.url).port), '127.0.0.1')
      cut.end('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"title":')
      cut.resume()
      await once(cut, 'close')
      const answer = await sendJson(relay.url, '{}')
      assert.deepEqual([answer.status, relayed.map(({ status }) => status)], [502, [502]])
    } finally {
      await relay.close()
    }
  })

  test('runs as a command until Ctrl-C', async () => {
    const session = recordSession()
    const program = { name: 'galley', version: '0.0.0', program: service.kernel.commands }
    // Nobody answers at the public address: the service on this machine is asked.
    await service.kernel.settings.set('public_url', 'https://tides.invalid')
    const ended = runProgram(program, ['webhooks', 'relay', '--port', '0', '--json'], session)
    await until(() => session.out.length === 1, 'listening')
    const { url } = JSON.parse(session.out[0] ?? '')
    assert.equal((await sendJson(`${url}/api/webhooks/alert-router`, '{}')).status, 202)
    session.interrupt()
    assert.equal(await ended, 130)
    assert.equal(JSON.parse(session.out[1] ?? '').status, 202)
    await assert.rejects(sendJson(url, '{}'))
    await service.kernel.settings.set('public_url', '')
  })

  const skip = alertmanagerPath === undefined && 'Alertmanager is not installed: ALERTMANAGER names its program'
  test('tells of real alerts of Alertmanager in one thread', { skip }, async () => {
    const relay = await relayTo()
    const alertmanager = await startAlertmanager(alertmanagerPath ?? '', relay.url)
    try {
      const labels = { alertname: 'DiskFull', job: 'node', severity: 'page' }
      const startsAt = new Date().toISOString()
      const disk = { labels, annotations: { summary: 'Disk at 97 %' }, startsAt }
      const load = { labels: { alertname: 'HighLoad', job: 'node' }, startsAt }
      const untilSent = (count: number) => until(() => alertsSent().length === count, `${count} alerts`)
      assert.equal(await alertmanager.alert(disk), 200)
      await untilSent(1)
      await alertmanager.alert(load)
      await untilSent(2)
      const endsAt = new Date().toISOString()
      await alertmanager.alert({ ...disk, endsAt }, { ...load, endsAt })
      await untilSent(3)
      assert.deepEqual(
        alertsSent().map(({ text }) => text.split('\n')[0]),
        [
          'Alert (firing, page): DiskFull',
          'Alert (still firing, 2 alerts): DiskFull, HighLoad',
          'Alert (resolved, 2 alerts): DiskFull, HighLoad'
        ]
      )
      const [first, ...answers] = alertsSent()
      assert.deepEqual(
        answers.map(({ reply_parameters }) => reply_parameters?.message_id),
        [first?.message_id, first?.message_id]
      )
    } finally {
      await alertmanager.close()
      await relay.close()
    }
  })
})

describe('a group of alerts', () => {
  const alert = (fingerprint: string, startsAt: string, endsAt: string | null = null) => ({
    fingerprint,
    status: endsAt === null ? 'firing' : 'resolved',
    labels: { alertname: fingerprint },
    startsAt,
    endsAt: endsAt ?? '0001-01-01T00:00:00Z'
  })
  const group = (...alerts: ReturnType<typeof alert>[]) => ({
    ...{ version: '4', groupKey: '{}:{job="node"}', receiver: 'galley', truncatedAlerts: 0, alerts },
    status: alerts.some(({ status }) => status === 'firing') ? 'firing' : 'resolved'
  })
  const one = '2026-11-20T10:00:00Z'
  const two = '2026-11-20T11:00:00Z'
  const three = '2026-11-20T12:00:00Z'
  const titles = () => alertsSent().map(({ text }) => text.split('\n')[0])
  const sent = async (...messages: object[]) => {
    for (const message of messages) {
      assert.equal((await sendAlert(message)).status, 202)
      await allHandled()
    }
  }
  const untilSent = async (count: number) => {
    await until(() => alertsSent().length === count, `${count} alerts`)
    return alertsSent()
  }

  test('is told when it fires, changes and is resolved, in one thread', async () => {
    await sent(
      group(alert('Disk', one)),
      group(alert('Disk', one), alert('Load', two)),
      group(alert('Disk', one, three), alert('Load', two, three))
    )
    const [first, ...answers] = await untilSent(3)
    assert.deepEqual(titles(), [
      'Alert (firing): Disk',
      'Alert (still firing, 2 alerts): Disk, Load',
      'Alert (resolved, 2 alerts): Disk, Load'
    ])
    assert.equal(first?.reply_parameters, undefined)
    assert.deepEqual(
      answers.map(({ reply_parameters }) => reply_parameters?.message_id),
      [first?.message_id, first?.message_id]
    )
  })

  test('that was resolved is not revived by what comes late or twice', async () => {
    await sent(group(alert('Disk', one)), group(alert('Disk', one, two)))
    await sent(group(alert('Disk', one)), group(alert('Disk', one), alert('Disk', one, two)))
    await sent(group(alert('Disk', three)))
    await untilSent(3)
    assert.deepEqual(titles(), ['Alert (firing): Disk', 'Alert (resolved): Disk', 'Alert (firing): Disk'])
    // Another fire is another thread.
    assert.equal(alertsSent()[2]?.reply_parameters, undefined)
  })

  test('that goes on firing is told again after a while only', async () => {
    await sent(group(alert('Disk', one)), group(alert('Disk', one)))
    await service.db.script("update alert_groups set notified_at = now() - interval '61 minutes'")
    await sent(group(alert('Disk', one)))
    await untilSent(2)
    assert.deepEqual(titles(), ['Alert (firing): Disk', 'Alert (still firing): Disk'])
    assert.equal((await query('select id from alert_events')).length, 1)
  })
})

test('an erased address stands in no report and no body, and its events still count once', async () => {
  const opened = { type: 'email.opened', data: { to: ['Eve@example.org'], email_id: 'm9' } }
  await sendMail('msg_8', opened)
  await sendMail('msg_9', { type: 'email.opened', data: { to: ['ada@example.org'] } })
  await allHandled()
  await service.db.transaction(async tx => service.service(WebhooksService)?.eraseAddress(tx, 'eve@example.org'))
  const left = await query<{ left: string }>(
    `select concat(payload, email) as left from subscriber_events
     union all select convert_from(body, 'UTF8') from webhook_deliveries`
  )
  const texts = left.map(row => row.left ?? '').join()
  assert.ok(texts.includes('ada@example.org') && !/eve@example/.test(texts), texts)
  assert.equal((await sendMail('msg_8', opened)).body.duplicate, true)
})

test('an erased address is found in events of every kind, and however it is escaped', async () => {
  const escaped = String.raw`\u0052\u0031\u0030\u002Bx\u0040example.org`
  const named: (object | string)[] = [
    { type: 'contact.updated', data: { email: 'r10+x@example.org', first_name: 'Ten' } },
    { type: 'note.added', data: { text: 'A call of R10+x@Example.org.\nShe is well.' } },
    { type: 'email.delivered', data: { to: ['ada@example.org', 'r10+x@example.org'] } },
    `{"type": "contact.updated", "data": {"email": "${escaped}"}}`,
    { type: 'contact.updated', data: { raw: `{"email": "${escaped}"}` } },
    { type: 'page.viewed', data: { url: 'https://example.org/?reader=r10%2Bx%40example.org' } }
  ]
  const others = ['r10@example.org', 'r10+x@exampleXorg', 'r1+x@example.org']
  const unnamed = others.map(email => ({ type: 'contact.updated', data: { email } }))
  for (const [index, mail] of [...named, ...unnamed].entries()) await sendMail(`msg_${index}`, mail)
  await allHandled()
  await service.db.transaction(async tx => service.service(WebhooksService)?.eraseAddress(tx, 'r10+x@example.org'))
  const bodies = await query<{ event_id: string }>('select event_id from webhook_deliveries where body is not null')
  assert.deepEqual(bodies.map(row => row.event_id).sort(), ['msg_6', 'msg_7', 'msg_8'])
  const payloads = await query<{ event_id: string }>("select event_id from subscriber_events where payload <> '{}'")
  assert.deepEqual(payloads.map(row => row.event_id).sort(), ['msg_6', 'msg_7', 'msg_8'])
  // What was reported of the mail to somebody else stays.
  const reports = await query('select kind, email from subscriber_events where email is not null order by email')
  assert.deepEqual(reports, [{ kind: 'delivered', email: 'ada@example.org' }])
})

test('bodies are removed by age and for room, the oldest first, and never those that wait', async () => {
  for (const n of [1, 2, 3, 4]) await sendPayment({ type: 'x', n })
  await allHandled()
  await service.db.script(`update webhook_deliveries set received_at = now() - interval '1 day' * number
    - (select interval '1 day' * -min(number) from webhook_deliveries);
    update webhook_deliveries set state = 'parked', received_at = now() - interval '40 days'
    where number = (select max(number) from webhook_deliveries)`)
  const bodies = async () => (await query('select id from webhook_deliveries where body is not null')).length
  assert.deepEqual([await removeBodies(service.db, { days: 30, maxBytes: 1_000 }), await bodies()], [1, 3])
  assert.deepEqual([await removeBodies(service.db, { days: 30, maxBytes: 25 }), await bodies()], [2, 1])
  await service.db.script("update webhook_deliveries set state = 'waiting', not_before = 'infinity'")
  assert.equal(await removeBodies(service.db, { days: 0, maxBytes: 0 }), 0)
  await service.db.script("update webhook_deliveries set state = 'handled'")
})

test('what is due for long is a backlog, and what came long ago and is handled again is none', async () => {
  await sendPayment({ type: 'x' })
  await allHandled()
  const statusAt = async (not_before: string) => {
    await service.db.script(`update webhook_deliveries set state = 'waiting', claim = null,
      received_at = now() - interval '40 days', last_received_at = now() - interval '40 days', not_before = ${not_before}`)
    return (await findingOf(service.kernel, 'webhooks')).status
  }
  assert.equal(await statusAt("now() + interval '1 hour'"), 'ok')
  // No plugin handles it while this is looked at.
  await service.db.script("update webhook_deliveries set source = 'alert-store'")
  assert.equal(await statusAt("now() - interval '11 minutes'"), 'degraded')
  await service.db.script("update webhook_deliveries set state = 'handled'")
})

test('webhooks list filters, and a replay names what it cannot do', async () => {
  const { body } = await sendPayment({ type: 'x' })
  await sendOrder({ id: 'e9', order: 'o9', status: 'paid', at: '2026-11-20T10:00:00Z' })
  await allHandled()
  const list = await service.run('webhooks', 'list', '--source', 'my-shop', '--state', 'handled', '--json')
  const { items, total } = JSON.parse(list.out)
  assert.deepEqual([total, items[0].event_id, 'body' in items[0]], [1, 'e9', false])
  assert.match(
    (await service.run('webhooks', 'list')).out,
    /my-shop .*\n.*payments-provider|payments-provider .*\n.*my-shop/
  )
  const replay = (...args: string[]) => service.run('webhooks', 'replay', ...args)
  assert.match((await replay()).err, /<id> is required, or --since/)
  const unknown = await replay('--since', '2d', '--source', 'nope')
  assert.deepEqual([unknown.status, /one of alert-router, alert-store, .*my-shop/.test(unknown.err)], [2, true])
  assert.equal((await service.run('webhooks', 'replay', body.id, '--since', '1h')).status, 2)
  assert.equal((await service.run('webhooks', 'replay', '--since', 'soon')).status, 2)
  assert.equal((await service.run('webhooks', 'show', '00000000-0000-4000-8000-000000000000')).status, 1)
  await service.db.script('update webhook_deliveries set body = null')
  assert.match((await service.run('webhooks', 'replay', body.id)).err, /body of .* was removed/)
  assert.match((await service.run('webhooks', 'show', body.id)).out, /The body was removed\.$/m)
})
