import assert from 'node:assert/strict'
import { copyFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type Payload, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { type EmailReport, NewsletterService } from '../../../plugins/newsletter/index.ts'
import { insertAgreed } from '../../../plugins/newsletter/repository/subscribers.ts'
import { SendNewsletters } from '../../../plugins/newsletter/sending/jobs.ts'
import { createConfirmations } from '../../../plugins/newsletter/signup/confirmations.ts'
import { SendConfirmations } from '../../../plugins/newsletter/signup/jobs.ts'
import { PostsService } from '../../../plugins/posts/index.ts'
import { testServerUrl } from '../../helpers/database.ts'
import { makePublicPost } from '../../helpers/public-post.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'
import { standard } from '../webhooks/sign.ts'
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
const usual = {
  pipeline_gate_newsletter_send: 'off',
  subscribe_captcha: 'false',
  newsletter_per_day: '0',
  newsletter_on_publish: 'false',
  newsletter_digest_days: '0',
  newsletter_connections: '5',
  newsletter_per_second: '0',
  operator_timezone: 'UTC'
}
/** No job of the newsletter is under way, or about to be. */
const untilIdle = () =>
  until(async () =>
    (await service.kernel.jobs.stats()).every(
      ({ queue, active, ready }) => !/newsletter/.test(queue) || active + ready === 0
    )
  )
beforeEach(async () => {
  await untilIdle()
  await service.db.script(
    `delete from newsletter_sends; delete from newsletter_subscribers; delete from newsletter_suppressions;
     delete from newsletter_signups; delete from newsletter_rates;
     update newsletter_state set restored_at = null, digest_at = null`
  )
  server.behave({})
  for (const [key, value] of Object.entries(usual)) await set(key, value)
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

/** Adds subscribers by the import of those who agreed elsewhere. */
async function subscribed(...emails: string[]) {
  const file = path.join(service.home, 'subscribers.csv')
  await writeFile(file, `email\n${emails.join('\n')}\n`)
  return run('subscribers', 'import', file, '--consented')
}
const set = (key: string, value: string) => service.kernel.settings.set(key, value)
let posts = 0
/** Mails a new post, and waits until it has the status. */
async function mailed(wanted = 'finished') {
  posts += 1
  const post = await makePublicPost(service, { title: `Tide ${posts}` })
  const { send_id } = await run('send', post.post_id)
  await until(async () => (await status(send_id)).status === wanted)
  return { send_id, post }
}
/** Nothing waits for its time. */
const skipDelays = () =>
  service.db.transaction(async tx => {
    await tx.query("update newsletter_recipients set not_before = now() where state = 'queued'")
    await tx.query('update newsletter_confirmations set not_before = now()')
    await tx.query('update newsletter_sends set not_before = now()')
    await service.kernel.jobs.enqueue(tx, SendNewsletters, {}, { key: 'all' })
    await service.kernel.jobs.enqueue(tx, SendConfirmations, {}, { key: 'all' })
  })
const why = (email: string) => run('why', email)
/** The states that have rows. */
const states = async (send_id: string) => {
  const { total, ...counts } = (await status(send_id)).recipients
  return Object.fromEntries(Object.entries(counts).filter(([, rows]) => rows !== 0))
}
/** As a mail provider's webhook tells it. */
const report = (event: Partial<EmailReport> & Pick<EmailReport, 'kind' | 'email'>) =>
  service.db.transaction(async tx => {
    await service.service(NewsletterService)?.recordEmailEvent(tx, { isPermanent: false, ...event })
  })

test('a reader subscribes with two clicks, gets a post, and leaves with one', async () => {
  await set('pipeline_gate_newsletter_send', 'on')
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
  assert.match(text, /The sea rises \(http:\/\/127\.0\.0\.1:\d+\/posts\/moon\)/)
  assert.match(text, /^A chart \(http:\/\/127\.0\.0\.1:\d+\/images\/chart\.png\)\r?$/m)
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

describe('a sign-up', () => {
  test('is answered alike for every address, and each gets one mail a day', async () => {
    await confirmed('known@example.com')
    await subscribed('left@example.com')
    await run('subscribers', 'remove', 'left@example.com', '--yes')
    const emails = ['new@example.com', 'new@example.com', 'known@example.com', 'left@example.com', 'NEW@EXAMPLE.com']
    // They are delivered to the same mailbox.
    emails.push('new+1@example.com', 'new+2@example.com', 'left+1@example.com')
    const answers = []
    for (const email of emails) answers.push(await signUp(email))
    await until(() => server.received.length > 0)
    await skipDelays()
    await until(async () => (await confirmationsWaiting()) === 0)
    for (const { status, body } of answers) assert.deepEqual([status, body], [202, answers[0]?.body])
    assert.deepEqual(
      server.received.map(({ to }) => to),
      ['new@example.com']
    )
    const text = decoded(server.received[0]?.raw ?? '')
    assert.match(text, /Auto-Submitted: auto-generated/)
    const jobs = await service.db.query("select data::text from jobs.job where data::text like '%example.com%'")
    assert.deepEqual(jobs, [])
  })

  test('brings nothing that was typed into the mail', async () => {
    const name = 'Cheap pills at https://spam.example'
    await service.anonymous('POST', '/subscribe', { email: 'ada@example.com', name })
    await until(() => server.received.length > 0)
    assert.doesNotMatch(decoded(server.received[0]?.raw ?? ''), /pills|spam/)
    // What programs add to links is no reason to refuse them.
    for (const place of ['/subscribe', '/subscribe/confirm', '/unsubscribe'])
      assert.equal((await service.anonymous('GET', `${place}?utm_source=news&fbclid=1`)).status, 200)
    assert.equal((await why('ada@example.com')).subscriber.name, name)
  })

  test('is confirmed by a click, once, not by whatever opens links', async () => {
    await signUp('ada@example.com')
    await until(() => server.received.length > 0)
    const token = tokenIn(server.received[0]?.raw ?? '', '/subscribe/confirm')
    const page = await service.anonymous('GET', `/subscribe/confirm?token=${token}`)
    assert.equal(page.status, 200)
    assert.match(page.body, new RegExp(`<form method="post" action="confirm">.*value="${token}"`, 's'))
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'.*form-action 'self'/)
    assert.equal(await count(), 0)
    const click = () => service.anonymous('POST', '/subscribe/confirm', `token=${token}`, form)
    assert.equal((await click()).status, 200)
    assert.equal(await count(), 1)
    assert.equal((await click()).status, 410)
    assert.equal((await service.anonymous('POST', '/subscribe/confirm', 'token=no', form)).status, 410)
  })

  test('is refused with a page where a browser sent the form, as the leaving is', async () => {
    const browser = { ...form, accept: 'text/html,*/*;q=0.8' }
    await set('subscribe_captcha', 'false')
    const bad: [path: string, body: string, said: RegExp][] = [
      ['/subscribe', 'email=ada', /email must be an e-mail address/],
      ['/subscribe/confirm', '', /token is required/],
      ['/unsubscribe', 'token=', /token is required/]
    ]
    for (const [path, body, said] of bad) {
      const page = await service.anonymous('POST', path, body, browser)
      assert.equal(page.status, 400)
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/, path)
      assert.match(page.body, said)
      assert.equal((await service.anonymous('POST', path, body, form)).body.error_code, 'VALIDATION_ERROR')
    }
  })

  test('is confirmed by programs in JSON, by browsers with a page', async () => {
    const outcomes = []
    const json = { accept: 'application/json' }
    const asked: [body: (token: string) => unknown, headers: Record<string, string>][] = [
      [token => ({ token }), json],
      [token => ({ token, language: 'de' }), {}],
      [token => `token=${token}`, { ...form, ...json }],
      [token => `token=${token}`, { ...form, accept: 'application/json, text/html;q=0.1' }],
      [token => `token=${token}`, { ...form, accept: 'text/html,*/*;q=0.8' }]
    ]
    for (const [n, [body, headers]] of asked.entries()) {
      const email = `ada${n}@example.com`
      await signUp(email)
      await until(() => server.to(email).length > 0)
      const token = tokenIn(server.to(email)[0]?.raw ?? '', '/subscribe/confirm')
      for (const expected of [200, 410]) {
        const answer = await service.anonymous('POST', '/subscribe/confirm', body(token), headers)
        assert.equal(answer.status, expected)
        const type = answer.headers.get('content-type')?.split(';', 1)[0]
        outcomes.push(type === 'text/html' ? type : (answer.body.error_code ?? answer.body))
      }
    }
    const inJson = [{ confirmed: true }, 'CONFIRMATION_EXPIRED']
    assert.deepEqual(outcomes, [...inJson, ...inJson, ...inJson, ...inJson, 'text/html', 'text/html'])
    assert.equal(await count(), asked.length)
  })

  test('is confirmed by the link of an earlier mail too, until one was used', async () => {
    const tokens = []
    for (const mail of [0, 1]) {
      await service.db.script("update newsletter_confirmations set requested_at = now() - interval '25 hours'")
      await signUp('ada@example.com')
      await until(() => server.received.length > mail)
      tokens.push(tokenIn(server.received[mail]?.raw ?? '', '/subscribe/confirm'))
    }
    const statuses = []
    for (const token of tokens)
      statuses.push((await service.anonymous('POST', '/subscribe/confirm', `token=${token}`, form)).status)
    assert.deepEqual(statuses, [200, 410])
  })

  test('is refused for what is no address', async () => {
    const { status: code, body } = await service.anonymous('POST', '/subscribe', {
      email: 'ada@example.com\nBcc: x@y.zz'
    })
    assert.deepEqual([code, Object.keys(body.errors)], [400, ['email']])
  })

  test('needs a proof of work that counts once', async () => {
    await set('subscribe_captcha', 'true')
    const send = (captcha?: string) => service.anonymous('POST', '/subscribe', { email: 'ada@example.com', captcha })
    assert.deepEqual(Object.keys((await send()).body.errors), ['captcha'])
    const challenge = (await service.anonymous('GET', '/subscribe/challenge')).body
    const solution = await solveChallenge({ challenge, deriveKey })
    const encode = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64')
    const easier = { ...challenge, parameters: { ...challenge.parameters, keyPrefix: '00' } }
    for (const forged of [
      { challenge: easier, solution },
      { challenge, solution: { ...solution, counter: 0, derivedKey: '00' } },
      {}
    ])
      assert.equal((await send(encode(forged))).status, 400, JSON.stringify(forged))
    const solved = encode({ challenge, solution } satisfies { challenge: Payload['challenge']; solution: unknown })
    const both = await Promise.all([send(solved), send(solved)])
    assert.deepEqual(both.map(answer => answer.status).sort(), [202, 400])
  })

  test('is refused with a proof of work that was cheap long before a wave, and the page solves another', async () => {
    await set('subscribe_captcha', 'true')
    const solved = async () => {
      const challenge = (await service.anonymous('GET', '/subscribe/challenge')).body
      const solution = await solveChallenge({ challenge, deriveKey })
      return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
    }
    const captchas = [await solved(), await solved()]
    await service.db.query(
      "insert into newsletter_rates (kind, minute, count) values ('signup', date_trunc('minute', now() - interval '1 minute'), 39)"
    )
    const send = (captcha: string) => service.anonymous('POST', '/subscribe', { email: 'ada@example.com', captcha })
    const answers = await Promise.all(captchas.map(send))
    // The fortieth may be one step cheaper than what is asked; from then on four times as much is.
    assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 400])
    assert.match(answers.find(({ status }) => status === 400)?.body.errors.captcha, /costs less .*fetch another/)
    const stale = captchas[answers.findIndex(({ status }) => status === 400)] ?? ''
    const page = await service.anonymous(
      'POST',
      '/subscribe',
      `${new URLSearchParams({ email: 'ada@example.com', captcha: stale })}`,
      {
        ...form,
        accept: 'text/html'
      }
    )
    assert.deepEqual([page.status, /data-captcha[\s\S]* value="ada@example\.com">/.test(page.body)], [200, true])
    const { body: next } = await service.anonymous('GET', '/subscribe/challenge')
    assert.equal(next.parameters.data.tries, 4000)
  })

  test('of a form without a script leads to the page that solves the challenge', async () => {
    await set('subscribe_captcha', 'true')
    const browser = { ...form, accept: 'text/html' }
    const page = await service.anonymous('POST', '/subscribe', 'email=ada%40example.com', browser)
    assert.equal(page.status, 200)
    assert.match(page.body, /<input type="email"[^>]* value="ada@example\.com">/)
    const address = /<script src="(subscribe\/script\.js[^"]*)" defer>/.exec(page.body)?.[1]
    const script = await service.anonymous('GET', `/${address}`)
    assert.deepEqual([script.status, /immutable/.test(script.headers.get('cache-control') ?? '')], [200, true])
    assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self'/)
    await set('subscribe_captcha', 'false')
    const done = await service.anonymous('POST', '/subscribe', 'email=ada%40example.com', browser)
    assert.deepEqual([done.status, /Look into your mailbox/.test(done.body)], [202, true])
  })

  test('is answered, mailed and confirmed in the language of its form, and so is the leaving', async () => {
    const signedUp = await service.anonymous('POST', '/subscribe', { email: 'ada@example.com', language: 'de-AT' })
    assert.match(signedUp.body.message, /ist eine E-Mail an sie unterwegs/)
    await until(() => server.received.length > 0)
    const raw = server.received[0]?.raw ?? ''
    assert.match(decoded(raw), /<html lang="de" dir="ltr">[\s\S]*<title>Bestätigen Sie Ihr Abonnement von galley</)
    const token = tokenIn(raw, '/subscribe/confirm')
    assert.ok(decoded(raw).includes(`confirm?token=${token}&language=de\r\n`))
    const page = await service.anonymous('GET', `/subscribe/confirm?token=${token}&language=de`)
    assert.match(page.body, /<html lang="de" dir="ltr">[\s\S]*name="language" value="de"[\s\S]*>Bestätigen</)
    const browser = { ...form, accept: 'text/html' }
    const done = await service.anonymous('POST', '/subscribe/confirm', `token=${token}&language=de`, browser)
    assert.match(done.body, /Sie sind angemeldet/)
    assert.equal((await why('ada@example.com')).subscriber.language, 'de')
    server.received.length = 0
    await mailed()
    const mail = server.received[0]?.raw ?? ''
    const leaving = tokenIn(mail, '/unsubscribe')
    assert.match(server.received[0]?.headers['list-unsubscribe'] ?? '', /&language=de>$/)
    assert.ok(decoded(mail).includes(`${leaving}&amp;language=de">Unsubscribe</a>`))
    assert.match((await service.anonymous('GET', `/unsubscribe?token=${leaving}&language=de`)).body, />Abbestellen</)
    const left = await service.anonymous('POST', '/unsubscribe', `token=${leaving}&language=de`, browser)
    assert.match(left.body, /Sie sind abgemeldet[\s\S]*href="subscribe\?language=de"/)
    assert.equal(await count(), 0)
    const arabic = await service.anonymous('GET', '/subscribe?language=ar-EG')
    assert.match(arabic.body, /<html lang="ar" dir="rtl">[\s\S]*<input type="email"[^>]*dir="ltr"/)
    assert.match((await service.anonymous('GET', '/subscribe?language=%22%3E')).body, /<html lang="en" dir="ltr">/)
  })

  test('waits for a mail server that puts it off', async () => {
    server.behave({ recipient: () => '451 4.7.1 Greylisted' })
    await signUp('ada@example.com')
    await until(async () => (await confirmationsWaiting("state = 'queued' and attempts = 1")) === 1)
    assert.equal(server.received.length, 0)
    server.behave({})
    await skipDelays()
    await until(() => server.received.length === 1)
  })

  test('that nobody tried to send counts no attempt: a server that is down is asked once a run', async () => {
    await service.db.query(
      `with signed as (
         insert into newsletter_subscribers (email, email_hash, plain_hash, status, source)
         select name || '@example.com', 'hash ' || name, 'hash ' || name, 'pending', 'form' from unnest(array['a', 'b', 'c']) name
         returning subscriber_id
       )
       insert into newsletter_confirmations (subscriber_id, mailbox_hash) select subscriber_id, subscriber_id from signed`
    )
    let opened = 0
    let claimed = 0
    const mailer = {
      fault: () => null,
      open: async () => {
        opened += 1
        // A process that is killed here leaves no other one in doubt.
        claimed = await confirmationsWaiting("state = 'sending'")
        throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
      }
    }
    const deps = {
      db: service.db,
      mailer,
      copies: { check: async () => {} },
      enqueue: async () => {},
      log: service.kernel.log
    }
    const confirmations = createConfirmations({ ...deps, now: () => new Date() } as never)
    await confirmations.send(new AbortController().signal)
    const rows = await service.db.query('select state, attempts from newsletter_confirmations order by attempts')
    const untried = { state: 'queued', attempts: 0 }
    assert.deepEqual([opened, claimed, rows], [1, 1, [untried, untried, { state: 'queued', attempts: 1 }]])
  })

  test('that nobody confirmed is removed after a week, one that no mail asked for as well', async () => {
    await signUp('ada@example.com')
    await signUp('ada+tides@example.com')
    await until(async () => (await confirmationsWaiting("state = 'sent'")) === 1)
    const subscribers = () => service.db.query('select email from newsletter_subscribers order by email')
    assert.deepEqual(await subscribers(), [{ email: 'ada+tides@example.com' }, { email: 'ada@example.com' }])
    await service.db.script(
      `update newsletter_subscribers set status_at = now() - interval '8 days';
       update newsletter_confirmations set requested_at = now() - interval '8 days'`
    )
    await skipDelays()
    await until(async () => (await subscribers()).length === 0)
  })

  test('in a wave is told to the operator, once an hour', async () => {
    await set('newsletter_signup_alarm', '2')
    await set('chat_webhook_url', 'http://127.0.0.1:9/hook')
    for (const name of ['a', 'b', 'c']) await signUp(`${name}@example.com`)
    await set('newsletter_signup_alarm', '100')
    const rows = await service.db.query("select source from notify_messages where source like 'newsletter:wave:%'")
    assert.ok(rows.length === 1 || rows.length === 2, 'two when the hour has just passed')
    await set('chat_webhook_url', '')
  })
})

const confirmationsWaiting = async (where = "state in ('queued', 'sending')") =>
  (await service.db.query(`select from newsletter_confirmations where ${where}`)).length

describe('leaving', () => {
  test('takes the token as JSON, form, query or multipart, and is answered alike for a wrong one', async () => {
    await subscribed('ada@example.com')
    await mailed()
    const token = tokenIn(server.received[0]?.raw ?? '', '/unsubscribe')
    const boundary = { 'content-type': 'multipart/form-data; boundary=x' }
    const part = '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
    for (const given of [token, `${token.slice(0, -2)}xx`, 'nothing']) {
      const answers = [
        await service.anonymous('POST', '/unsubscribe', { token: given }),
        await service.anonymous('POST', '/unsubscribe', `token=${given}`, form),
        await service.anonymous('POST', `/unsubscribe?token=${given}`),
        await service.anonymous('POST', `/unsubscribe?token=${given}`, part, boundary),
        await service.anonymous(
          'POST',
          `/unsubscribe?token=${given}&utm_source=news`,
          'List-Unsubscribe=One-Click&x=1',
          form
        )
      ]
      for (const { status: code, body } of answers) assert.deepEqual([code, body], [200, { unsubscribed: true }])
    }
    assert.equal((await why('ada@example.com')).subscriber.status, 'unsubscribed')
    assert.equal((await service.anonymous('POST', '/unsubscribe', {})).status, 400)
  })

  test('a field that JSON should not have is refused, whatever its name; a form may have more', async () => {
    const json = '{"token":"nothing","constructor":1,"colour":"red"}'
    const refused = await service.anonymous('POST', '/unsubscribe', json, { 'content-type': 'application/json' })
    const fault = 'is not a known field'
    assert.deepEqual([refused.status, refused.body.errors], [400, { constructor: fault, colour: fault }])
    const fields = 'token=nothing&constructor=1&colour=red'
    assert.equal((await service.anonymous('POST', '/unsubscribe', fields, form)).status, 200)
  })

  test('a wrong token unsubscribes nobody, and opening the link neither', async () => {
    await subscribed('ada@example.com')
    await mailed()
    const token = tokenIn(server.received[0]?.raw ?? '', '/unsubscribe')
    const page = await service.anonymous('GET', `/unsubscribe?token=${token}`)
    assert.match(page.body, /<form method="post" action="unsubscribe">/)
    const wrong = (token.startsWith('A') ? 'B' : 'A') + token.slice(1)
    await service.anonymous('POST', '/unsubscribe', { token: wrong })
    assert.equal(await count(), 1)
  })

  test('before a mail is sent means that it is not', async () => {
    await subscribed('ada@example.com', 'bob@example.com')
    server.behave({ recipient: () => '451 later' })
    const { send_id } = await mailed('sending')
    const tried = 'select from newsletter_recipients where attempts = 1'
    await until(async () => (await service.db.query(tried)).length === 2)
    await untilIdle()
    await report({ kind: 'unsubscribed', email: 'Bob@example.com' })
    server.behave({})
    await skipDelays()
    await until(async () => (await status(send_id)).status === 'finished')
    assert.deepEqual(await states(send_id), { sent: 1, suppressed: 1 })
  })
})

describe('a newsletter', () => {
  test('is refused for some, put off for others, and says so for each', async () => {
    const emails = ['gone', 'full', 'later', 'spam', 'fine'].map(name => `${name}@example.com`)
    await subscribed(...emails)
    const answers: Record<string, string> = {
      'gone@example.com': '550 5.1.1 <gone@example.com> unknown',
      'full@example.com': '552 5.2.2 full',
      'later@example.com': '451 4.7.1 greylisted',
      'spam@example.com': '550 5.7.1 policy'
    }
    server.behave({ recipient: address => answers[address] })
    const { send_id } = await mailed('sending')
    await until(async () => (await states(send_id)).sent === 1)
    await untilIdle()
    assert.deepEqual(await states(send_id), { queued: 1, sent: 1, refused: 2, bounced: 1 })
    server.behave({})
    await skipDelays()
    await until(async () => (await status(send_id)).status === 'finished')
    assert.deepEqual(await states(send_id), { sent: 2, refused: 2, bounced: 1 })
    const gone = await why('gone@example.com')
    assert.equal(gone.subscriber.status, 'bounced')
    assert.equal(gone.mails[0].response, '550 5.1.1 <(address)> unknown')
    assert.equal((await why('spam@example.com')).subscriber.status, 'active')
    assert.equal(await count(), 4)
    await signUp('gone@example.com')
    await untilIdle()
    assert.equal(server.to('gone@example.com').length, 0)
    await run('subscribers', 'allow', 'gone@example.com')
    await signUp('gone@example.com')
    await until(() => server.to('gone@example.com').length === 1)
  })

  test('whose answer was lost is sent once more, and status says for whom', async () => {
    await subscribed('ada@example.com', 'bob@example.com')
    server.behave({ text: ({ to }) => (to === 'ada@example.com' ? 'drop' : undefined) })
    await set('newsletter_connections', '1')
    const { send_id } = await mailed('sending')
    await until(async () => (await status(send_id)).unanswered.total === 1)
    // Its run writes when the next one is due.
    await untilIdle()
    server.behave({})
    await skipDelays()
    await until(async () => (await status(send_id)).status === 'finished')
    await set('newsletter_connections', '5')
    assert.deepEqual([server.to('ada@example.com').length, server.to('bob@example.com').length], [2, 1])
    const ids = server.to('ada@example.com').map(({ headers }) => headers['message-id'])
    assert.equal(ids[0], ids[1])
    const { unanswered } = await status(send_id)
    assert.deepEqual(
      unanswered.items.map(({ email, state }: { email: string; state: string }) => [email, state]),
      [['ada@example.com', 'sent']]
    )
    const text = await service.run('newsletter', 'status', send_id)
    assert.match(text.out, /answer of the mail server was lost for 1[\s\S]*ANSWERS LOST\n.*ada@example\.com +sent +1/)
  })

  test('whose answers were lost goes to nobody again in the same run, also while connections wait for their time', async () => {
    await subscribed('ada@example.com', 'bob@example.com')
    server.behave({ text: () => 'drop' })
    await set('newsletter_connections', '3')
    await set('newsletter_per_second', '4')
    const { send_id } = await mailed('sending')
    await until(async () => (await status(send_id)).unanswered.total === 2)
    await untilIdle()
    assert.deepEqual(server.received.map(({ to }) => to).sort(), ['ada@example.com', 'bob@example.com'])
    await run('cancel', send_id)
  })

  test('waits for a mail server that is down, and stops after many refusals', async () => {
    await subscribed(...Array.from({ length: 25 }, (_, at) => `reader${at}@example.com`))
    await set('smtp_url', 'smtp://127.0.0.1:1')
    const { send_id } = await mailed('sending')
    await until(async () => (await status(send_id)).failures > 0)
    assert.match((await status(send_id)).last_error, /ECONNREFUSED/)
    assert.deepEqual(await states(send_id), { queued: 25 })
    await set('smtp_url', server.url)
    server.behave({ recipient: () => '550 5.7.1 Your address is on a list' })
    await skipDelays()
    await until(async () => (await status(send_id)).status === 'paused')
    assert.match((await status(send_id)).reason, /refused many recipients in a row.*5\.7\.1/)
    server.behave({})
    await run('resume', send_id)
    await until(async () => (await status(send_id)).status === 'finished')
    assert.equal(await count(), 25)
  })

  test('is paused after many lost answers in a row, not sent to everybody twice, and status says why', async () => {
    const emails = Array.from({ length: 25 }, (_, at) => `reader${at}@example.com`)
    await subscribed(...emails)
    await set('chat_webhook_url', 'http://127.0.0.1:9/hook')
    server.behave({ text: () => 'drop' })
    const { send_id } = await mailed('paused')
    await set('chat_webhook_url', '')
    await untilIdle()
    const lost = server.received.length
    // Ten in a row, and what was on its way over the other connections.
    assert.ok(lost >= 10 && lost <= 14, `${lost}`)
    const text = await service.run('newsletter', 'status', send_id)
    assert.match(text.out, /is paused\.[\s\S]*its answers were lost[\s\S]*look at the mail server/)
    const notices = `select from notify_messages where source like 'newsletter:paused:${send_id}:%'`
    assert.equal((await service.db.query(notices)).length, 1)
    server.behave({})
    await run('resume', send_id)
    await until(async () => (await states(send_id)).sent === 25 - lost)
    await untilIdle()
    await skipDelays()
    await until(async () => (await status(send_id)).status === 'finished')
    assert.deepEqual([await states(send_id), server.received.length], [{ sent: 25 }, 25 + lost])
    assert.ok(emails.every(email => server.to(email).length <= 2))
  })

  test('to a few readers is paused for lost answers in a row, too: those of earlier runs count', async () => {
    await subscribed(...Array.from({ length: 6 }, (_, at) => `reader${at}@example.com`))
    await set('newsletter_connections', '1')
    server.behave({ text: () => 'drop' })
    const { send_id } = await mailed('sending')
    await until(async () => (await status(send_id)).unanswered.total === 6)
    await untilIdle()
    await skipDelays()
    await until(async () => (await status(send_id)).status === 'paused')
    assert.equal(server.received.length, 10)
  })

  const refusals: [what: string, url: (port: number) => string, reason: RegExp][] = [
    ['refuses the login', port => `smtp://ada:wrong@127.0.0.1:${port}`, /535/],
    ['is not there', () => 'smtp://127.0.0.1:1', /ECONNREFUSED/]
  ]
  for (const [what, url, reason] of refusals)
    test(`to one reader waits longer each time for a mail server that ${what}, and the operator is notified`, async () => {
      let logins = 0
      const refusing = await startMailServer({
        allowInsecureAuth: true,
        onAuth(_auth, _session, done) {
          logins += 1
          done(new Error('No'))
        }
      })
      await subscribed('ada@example.com')
      await set('chat_webhook_url', 'http://127.0.0.1:9/hook')
      await set('smtp_url', url(refusing.port))
      const { send_id } = await mailed('sending')
      const notices = `select from notify_messages where source like 'newsletter:server:${send_id}:%'`
      await until(async () => (await service.db.query(notices)).length === 1)
      const loginsThen = logins
      const { failures, last_error } = await status(send_id)
      assert.ok(failures >= 3, `${failures}`)
      assert.match(last_error, reason)
      // The run of now may have asked and not written it.
      assert.ok(loginsThen <= failures + 1, `${loginsThen} logins in ${failures} runs`)
      await set('chat_webhook_url', '')
      await set('smtp_url', server.url)
      await skipDelays()
      await until(async () => (await status(send_id)).status === 'finished')
      await refusing.close()
    })

  test('to a reader at whom the mail server closes the connection is tried as one that is put off, and ends refused', async () => {
    await subscribed('a@example.com', 'bad@example.com', 'c@example.com')
    await set('newsletter_connections', '1')
    let drops = 0
    server.behave({
      recipient(address) {
        if (address !== 'bad@example.com') return undefined
        drops += 1
        return 'drop'
      }
    })
    const { send_id } = await mailed('sending')
    const attempts = async () => {
      const rows = await service.db.query<{ attempts: number }>(
        `select attempts from newsletter_recipients join newsletter_subscribers using (subscriber_id)
         where email = 'bad@example.com'`
      )
      return rows[0]?.attempts
    }
    for (let tries = 1; tries <= 9; tries += 1) {
      await until(async () => (await attempts()) === tries)
      await untilIdle()
      await skipDelays()
    }
    await until(async () => (await status(send_id)).status === 'finished')
    assert.deepEqual(await states(send_id), { sent: 2, refused: 1 })
    // After each of the two mails it may have been the connection.
    assert.ok(drops >= 9 && drops <= 11, `${drops} connections for nine attempts`)
  })

  test('stops at once when it is paused, and goes on where it was', async () => {
    await subscribed('a@example.com', 'b@example.com', 'c@example.com')
    await set('newsletter_connections', '1')
    const { promise: paused, resolve: goOn } = Promise.withResolvers<undefined>()
    server.behave({ text: () => paused })
    const { send_id } = await mailed('sending')
    await until(async () => (await states(send_id)).sending === 1)
    await run('pause', send_id)
    goOn(undefined)
    await untilIdle()
    assert.deepEqual([server.received.length, await states(send_id)], [1, { queued: 2, sent: 1 }])
    await run('resume', send_id)
    await until(async () => (await status(send_id)).status === 'finished')
    await set('newsletter_connections', '5')
    assert.deepEqual([server.received.length, await states(send_id)], [3, { sent: 3 }])
  })

  test('stays within the mails of a day', async () => {
    await subscribed('a@example.com', 'b@example.com', 'c@example.com')
    await set('newsletter_per_day', '2')
    const { send_id } = await mailed('sending')
    await until(async () => (await status(send_id)).last_error !== null)
    assert.deepEqual([(await states(send_id)).sent, server.received.length], [2, 2])
    assert.match((await service.run('newsletter', 'status', send_id)).out, /^Waits: /m)
    await set('newsletter_per_day', '0')
    await skipDelays()
    await until(async () => (await status(send_id)).status === 'finished')
    assert.doesNotMatch((await service.run('newsletter', 'status', send_id)).out, /^Waits: /m)
  })

  test('goes to an address alone as a test, and is not sent for a post that is not public', async () => {
    const post = await makePublicPost(service, { title: 'A test' })
    const sent = await run('send', post.post_id, '--test', 'me@example.com')
    assert.equal(sent.test, 'me@example.com')
    assert.equal(server.received[0]?.headers.subject, '[Test] A test')
    const failed = async () => (await service.run('newsletter', 'send', post.post_id, '--test', 'me@example.com')).err
    server.behave({ text: () => 'drop' })
    assert.match(await failed(), /got the mail, and its answer was lost, or did not come within the 30 seconds/)
    server.behave({ recipient: () => '550 5.7.1 No' })
    assert.match(await failed(), /The mail server did not take it: 550 5\.7\.1 No/)
    server.behave({ recipient: () => 'drop' })
    assert.match(await failed(), /closed the connection at this recipient/)
    await set('smtp_url', 'smtp://127.0.0.1:1')
    assert.match(await failed(), /No mail was sent: connect ECONNREFUSED 127\.0\.0\.1:1\. .*check .* smtp_url/)
    await set('smtp_url', server.url)
    await service.bearer('DELETE', `/api/posts/${post.post_id}`)
    const refused = await service.run('newsletter', 'send', post.post_id)
    assert.deepEqual([refused.status, /is not public/.test(refused.err)], [1, true])
  })

  test('waits for its time, said as a slot of the schedule is', async () => {
    await set('operator_timezone', 'Asia/Kathmandu')
    const post = await makePublicPost(service, { title: 'In the morning' })
    const { send_at } = await run('send', post.post_id, '--at', 'tomorrow 9am')
    assert.match(send_at, /T03:15:00\.000Z$/)
    const next = await run('digest', '--at', 'next friday 14:00')
    assert.deepEqual([new Date(next.send_at).getUTCDay(), next.send_at.slice(11, 16)], [5, '08:15'])
    const refused = async (at: string) => (await service.run('newsletter', 'send', post.post_id, '--at', at)).err
    assert.match(await refused('2026-01-31 09:00'), /must be in the future: 2026-01-31 03:15Z has passed/)
    assert.match(await refused('today 00:00'), /must be in the future: .* has passed/)
    assert.match(await refused('at dawn'), /is not a time: give ISO 8601 .*tomorrow \[clock\]/)
  })

  test('follows its post while it waits: an edit holds it again, a withdrawal cancels it', async () => {
    await set('pipeline_gate_newsletter_send', 'on')
    const post = await makePublicPost(service, { title: 'Before' })
    const { send_id, content_hash } = await run('send', post.post_id, '--at', '2099-01-01 09:00')
    const decide = (...more: string[]) => service.run('gates', 'approve', send_id, '--gate', 'newsletter_send', ...more)
    assert.equal((await decide()).status, 0)
    assert.equal((await status(send_id)).status, 'scheduled')
    await service.bearer('PATCH', `/api/posts/${post.post_id}`, { title: 'After' })
    await until(async () => (await status(send_id)).status === 'held')
    assert.equal((await status(send_id)).subject, 'After')
    const late = await decide('--content-hash', content_hash)
    assert.match(late.err, /has changed/)
    await service.bearer('DELETE', `/api/posts/${post.post_id}`)
    await until(async () => (await status(send_id)).status === 'cancelled')
  })

  test('that waits when its cover is made waits again, and says who changed what', async () => {
    await set('pipeline_gate_newsletter_send', 'on')
    const post = await makePublicPost(service, { title: 'Without a picture yet' })
    const { send_id, content_hash } = await run('send', post.post_id)
    const image = { url: '/images/generated/cover.png', isReplaceable: () => true }
    await service.db.transaction(async tx => {
      await service.service(PostsService)?.setFeaturedImage(tx, post.post_id, image, { actor: 'media' })
    })
    const held = async () => {
      const { items } = (await service.bearer('GET', `/api/gates/history?gate_name=newsletter_send`)).body
      return items.filter((each: { subject_id: string }) => each.subject_id === send_id)
    }
    await until(async () => (await held()).length === 2)
    const [again, first] = await held()
    assert.deepEqual([again.decision, again.reason], ['held', 'a post in it was changed by media'])
    assert.deepEqual([first.reason, first.content_hash], [null, content_hash])
  })

  test('is made of a post on its publication, once, where that is wished', async () => {
    await subscribed('ada@example.com')
    await set('newsletter_on_publish', 'true')
    const post = await makePublicPost(service, { title: 'On publication' })
    await until(() => server.received.length === 1)
    await service.bearer('DELETE', `/api/posts/${post.post_id}`)
    await untilIdle()
    assert.equal((await run('status')).total, 1)
  })

  test('is made anew of a post that was withdrawn before anybody got it, and published again', async () => {
    await subscribed('ada@example.com')
    await set('newsletter_on_publish', 'true')
    await set('pipeline_gate_newsletter_send', 'on')
    const { post_id } = await makePublicPost(service, { title: 'Twice published' })
    const statuses = async (): Promise<string[]> =>
      (await run('status')).items.map((send: { status: string }) => send.status).sort()
    const becomes = (...wanted: string[]) => until(async () => `${await statuses()}` === `${wanted}`)
    const unpublish = () => service.bearer('POST', `/api/posts/${post_id}/unpublish`)
    const publish = () =>
      service.db.transaction(async tx => {
        await service.service(PostsService)?.publish(tx, post_id, { actor: 'operator' })
      })
    await becomes('held')
    await unpublish()
    await becomes('cancelled')
    await publish()
    await becomes('cancelled', 'held')
    const { items } = await run('status')
    const { send_id } = items.find((send: { status: string }) => send.status === 'held')
    // What an operator ends is not made again.
    await run('cancel', send_id)
    await unpublish()
    await untilIdle()
    await publish()
    await untilIdle()
    assert.deepEqual(await statuses(), ['cancelled', 'cancelled'])
  })

  test('of a post is sent once, however often it is asked for; again only when that is said', async () => {
    await subscribed('ada@example.com')
    const post = await makePublicPost(service, { title: 'Once' })
    const send = (...flags: string[]) => service.run('newsletter', 'send', post.post_id, ...flags)
    const both = await Promise.all([send(), send()])
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [0, 1])
    await until(() => server.received.length === 1)
    const refused = await send()
    assert.match(refused.err, /has a newsletter already: [\w-]{36}, \w+\. With --again all subscribers get another one/)
    assert.equal((await send('--again')).status, 0)
    await until(() => server.received.length === 2)
    assert.equal((await service.run('newsletter', 'digest')).status, 0)
    assert.match((await service.run('newsletter', 'digest')).err, /held all posts of these days already: \d+\./)
  })

  test('reaches nobody twice by another newsletter of the other kind, unless that is said', async () => {
    await subscribed('ada@example.com')
    const [a, b] = [
      await makePublicPost(service, { title: 'Twice A' }),
      await makePublicPost(service, { title: 'Twice B' })
    ]
    const digest = (...flags: string[]) => service.run('newsletter', 'digest', ...flags)
    const mailsWith = (title: string) => server.received.filter(({ raw }) => decoded(raw).includes(title)).length
    await run('send', a.post_id)
    await until(() => server.received.length === 1)
    const { out } = await digest()
    assert.match(
      out,
      /\n1 post of these days is left out: a newsletter held it before\. --again takes the newest 50, mailed before or not\.$/m
    )
    await until(() => server.received.length === 2)
    const refused = await service.run('newsletter', 'send', b.post_id)
    assert.match(refused.err, /This post has a newsletter already: the digest [\w-]{36}, \w+\. With --again/)
    await makePublicPost(service, { title: 'Twice C' })
    const { left_out } = await run('digest')
    assert.ok(left_out >= 2, `${left_out} left out`)
    await until(() => server.received.length === 3)
    assert.deepEqual(['Twice A', 'Twice B', 'Twice C'].map(mailsWith), [1, 1, 1])
    assert.match((await digest('--test', 'me@example.com')).err, /held all posts of these days already/)
    assert.equal((await digest('--again')).status, 0)
    await until(() => server.received.length === 4)
    assert.deepEqual(['Twice A', 'Twice B', 'Twice C'].map(mailsWith), [2, 2, 2])
  })

  test('is not made anew of a post that some got before it was withdrawn', async () => {
    await subscribed('a@example.com', 'b@example.com')
    await set('newsletter_on_publish', 'true')
    server.behave({ recipient: address => (address.startsWith('b') ? '451 4.7.1 Greylisted' : undefined) })
    const { post_id } = await makePublicPost(service, { title: 'Half mailed' })
    await until(() => server.received.length === 1)
    await untilIdle()
    await service.bearer('POST', `/api/posts/${post_id}/unpublish`)
    await until(async () => (await run('status')).items[0].status === 'cancelled')
    const { out } = await runCommand(service.kernel, 'newsletter', 'why', 'b@example.com')
    assert.match(out, /cancelled +Half mailed/, 'what is queued there is not sent')
    await service.db.transaction(async tx => {
      await service.service(PostsService)?.publish(tx, post_id, { actor: 'operator' })
    })
    await untilIdle()
    assert.deepEqual([(await run('status')).total, server.received.length], [1, 1])
  })

  test('is not made by hand of a post that some got in a digest before it was withdrawn', async () => {
    await subscribed('a@example.com', 'b@example.com')
    server.behave({ recipient: address => (address.startsWith('b') ? '451 4.7.1 Greylisted' : undefined) })
    const { post_id } = await makePublicPost(service, { title: 'Half digested' })
    await makePublicPost(service, { title: 'Stays in it' })
    const { send_id, post_ids } = await run('digest', '--days', '1')
    assert.ok(post_ids.includes(post_id))
    await until(() => server.received.length === 1)
    await untilIdle()
    await service.bearer('POST', `/api/posts/${post_id}/unpublish`)
    await until(async () => !(await status(send_id)).post_ids.includes(post_id))
    await service.db.transaction(async tx => {
      await service.service(PostsService)?.publish(tx, post_id, { actor: 'operator' })
    })
    const refused = await service.run('newsletter', 'send', post_id)
    assert.match(refused.err, new RegExp(`has a newsletter already: the digest ${send_id}`))
    assert.match((await service.run('newsletter', 'digest', '--days', '1')).err, /held all posts of these days/)
    assert.equal((await service.run('newsletter', 'send', post_id, '--again')).status, 0)
  })

  test('waits for an operator in a copy of the database, and where a dump was restored', async () => {
    await subscribed('ada@example.com')
    const post = await makePublicPost(service, { title: 'In a backup' })
    const { send_id } = await run('send', post.post_id, '--at', '2099-01-01 09:00')
    const isPaused = async () => (await status(send_id)).status === 'paused'
    const other = "update newsletter_database set database_id = 'another', written_by = pg_current_xact_id()::xid"
    // A dump of the same database has its id; all its rows are written by the restore.
    const restored = 'update newsletter_database set id = id'
    for (const change of [other, restored]) {
      await untilIdle()
      await service.db.query(change)
      await skipDelays()
      await until(isPaused)
      assert.match((await status(send_id)).reason, /copy or a restored backup/)
      await run('resume', send_id)
    }
    // The job that noticed it writes the file at its end. The next one may also be that of the minute.
    await untilIdle()
    await writeFile(path.join(service.home, 'newsletter-position.json'), await laterPosition())
    await skipDelays()
    await until(isPaused)
    await service.db.query('update newsletter_sends set send_at = now()')
    await untilIdle()
    assert.equal(server.received.length, 0)
    await run('resume', send_id)
    await until(async () => (await status(send_id)).status === 'finished')
    assert.equal(server.received.length, 1)
  })

  test('is cancelled when its post was withdrawn and nothing told of it yet', async () => {
    await subscribed('ada@example.com')
    const post = await makePublicPost(service, { title: 'Gone at night' })
    const { send_id } = await run('send', post.post_id, '--at', '2099-01-01 09:00')
    await service.db.query("update posts set status = 'archived' where post_id = $1", [post.post_id])
    await service.db.query('update newsletter_sends set send_at = now()')
    await skipDelays()
    await until(async () => (await status(send_id)).status === 'cancelled')
    assert.deepEqual([await states(send_id), server.received.length], [{}, 0])
  })
})

describe('after a restore', () => {
  const file = () => path.join(service.home, 'newsletter-position.json')
  const automatic = async (title: string) => {
    await makePublicPost(service, { title })
    await until(async () => (await run('status')).items.some(({ subject }: { subject: string }) => subject === title))
    return (await run('status')).items.find(({ subject }: { subject: string }) => subject === title)
  }

  test('no post goes out by itself that may have been mailed since the backup', async () => {
    await subscribed('ada@example.com')
    await set('newsletter_on_publish', 'true')
    await service.db.query("update newsletter_state set restored_at = now() + interval '1 hour'")
    const { send_id, status: state, reason } = await automatic('Published again')
    assert.deepEqual([state, /may not know that this was mailed/.test(reason)], ['paused', true])
    await run('resume', send_id)
    await until(async () => (await status(send_id)).status === 'finished')
    await service.db.query("update newsletter_state set restored_at = now() - interval '1 hour'")
    assert.equal((await automatic('Written since')).reason, null)
  })

  test('what waited at the gate is paused, says so, and waits there again when it goes on', async () => {
    await set('pipeline_gate_newsletter_send', 'on')
    const post = await makePublicPost(service, { title: 'Perhaps approved since' })
    const { send_id } = await run('send', post.post_id)
    await untilIdle()
    await service.db.query('update newsletter_database set id = id')
    await skipDelays()
    await until(async () => (await status(send_id)).status === 'paused')
    const refused = await service.run('gates', 'approve', send_id, '--gate', 'newsletter_send')
    assert.deepEqual([refused.status, /"newsletter resume" goes on with it/.test(refused.err)], [1, true], refused.err)
    await run('resume', send_id)
    assert.equal((await status(send_id)).status, 'held')
  })

  test('of the whole home with its embedded database, the newsletters wait, too', async () => {
    await untilIdle()
    const post = await makePublicPost(service, { title: 'In a home that was copied' })
    const { send_id } = await run('send', post.post_id, '--at', '2099-01-01 09:00')
    await skipDelays()
    await untilIdle()
    assert.equal((await status(send_id)).status, 'scheduled')
    await copyFile(file(), `${file()}.copy`)
    await rename(`${file()}.copy`, file())
    await skipDelays()
    await untilIdle()
    // A server's database is not in the home.
    assert.equal((await status(send_id)).status, service.db.kind === 'pglite' ? 'paused' : 'scheduled')
  })
})

describe('a digest', () => {
  const digests = async () => (await run('status')).items.filter(({ kind }: { kind: string }) => kind === 'digest')
  const digest = (at: number) => digests().then(found => found.at(at))
  const textOf = async (send_id: string): Promise<string> => {
    const [row] = await service.db.query<{ text: string }>('select text from newsletter_sends where send_id = $1', [
      send_id
    ])
    return row?.text ?? ''
  }
  /** The time of the next digest comes. */
  const weekPasses = () => lastOneWas("now() - interval '7 days'")
  const lastOneWas = async (at: string) => {
    await untilIdle()
    await service.db.query(`update newsletter_state set digest_at = ${at}`)
    await skipDelays()
    await untilIdle()
  }

  test('is made by hand of the posts of the last days', async () => {
    await subscribed('ada@example.com')
    await makePublicPost(service, { title: 'One of the digest' })
    const { send_id, kind } = await run('digest', '--days', '1')
    assert.equal(kind, 'digest')
    await until(async () => (await status(send_id)).status === 'finished')
    assert.match(decoded(server.received[0]?.raw ?? ''), /One of the digest/)
    // However long ago, no other one follows by itself, and the next week has its own.
    await service.db.query("update newsletter_sends set created_at = now() - interval '30 days'")
    await set('newsletter_digest_days', '7')
    await weekPasses()
    assert.equal((await digests()).length, 1)
    const isPassed = "select digest_at > now() - interval '1 day' as passed from newsletter_state"
    assert.deepEqual(await service.db.query(isPassed), [{ passed: true }])
    await makePublicPost(service, { title: 'Of the next' })
    await weekPasses()
    assert.equal((await digests()).length, 2)
  })

  test('is made by itself in its time: no post twice, and none again after a rejection', async () => {
    await set('pipeline_gate_newsletter_send', 'on')
    await makePublicPost(service, { title: 'First week' })
    await set('newsletter_digest_days', '7')
    await weekPasses()
    const [first] = await digests()
    assert.equal(first.status, 'held')
    const rejected = await service.run(
      'gates',
      'reject',
      first.send_id,
      '--gate',
      'newsletter_send',
      '--reason',
      'dull'
    )
    assert.equal(rejected.status, 0, rejected.err)
    await skipDelays()
    await untilIdle()
    assert.equal((await digests()).length, 1)
    await weekPasses()
    assert.equal((await digests()).length, 1, 'nothing new, nothing sent')
    await makePublicPost(service, { title: 'Second week' })
    await weekPasses()
    const second = await digest(0)
    const text = await textOf(second.send_id)
    assert.deepEqual([/Second week/.test(text), /First week/.test(text)], [true, false])
    // After a restore a digest of the week may have been mailed.
    await makePublicPost(service, { title: 'Third week' })
    await service.db.query('update newsletter_state set restored_at = now()')
    await weekPasses()
    assert.deepEqual([second.status, (await digest(0)).status], ['held', 'paused'])
  })

  test('holds every post since the last one, unless digests were turned off meanwhile', async () => {
    await set('pipeline_gate_newsletter_send', 'on')
    const old = async (title: string) => {
      const { post_id } = await makePublicPost(service, { title })
      await service.db.query("update posts set published_at = now() - interval '25 days' where post_id = $1", [post_id])
    }
    await old('Of the weeks without service')
    await set('newsletter_digest_days', '7')
    await lastOneWas("now() - interval '30 days'")
    const found = await digests()
    assert.equal(found.length, 1)
    assert.match(await textOf(found[0].send_id), /Of the weeks without service/)
    await old('Of the weeks without digests')
    await set('newsletter_digest_days', '0')
    await lastOneWas("now() - interval '30 days'")
    await set('newsletter_digest_days', '7')
    await skipDelays()
    await untilIdle()
    assert.equal((await digests()).length, 1)
  })

  test('goes on when the clock was ahead for a while, without what was mailed then', async () => {
    await set('pipeline_gate_newsletter_send', 'on')
    await makePublicPost(service, { title: 'Mailed while the clock was ahead' })
    await set('newsletter_digest_days', '7')
    await weekPasses()
    await service.db.query("update newsletter_sends set created_at = now() + interval '300 days'")
    await makePublicPost(service, { title: 'Written when it was right' })
    await lastOneWas("now() + interval '300 days'")
    const found = await digests()
    assert.equal(found.length, 2)
    const texts = (await Promise.all(found.map(({ send_id }: { send_id: string }) => textOf(send_id)))).join('\n')
    assert.deepEqual([texts.match(/while the clock was ahead/g)?.length, /when it was right/.test(texts)], [1, true])
    const isPast = 'select digest_at <= now() as past from newsletter_state'
    assert.deepEqual(await service.db.query(isPast), [{ past: true }])
  })

  test('names no post that was withdrawn, and is cancelled without any', async () => {
    await set('pipeline_gate_newsletter_send', 'on')
    const posts = [
      await makePublicPost(service, { title: 'Stays a while' }),
      await makePublicPost(service, { title: 'Goes at once' })
    ]
    await untilIdle()
    const { send_id } = await run('digest', '--days', '1')
    await service.db.query('update newsletter_sends set post_ids = $1', [posts.map(({ post_id }) => post_id)])
    await service.bearer('DELETE', `/api/posts/${posts[1]?.post_id}`)
    await until(async () => !/Goes at once/.test(await textOf(send_id)))
    assert.match(await textOf(send_id), /Stays a while/)
    assert.equal((await status(send_id)).status, 'held')
    await service.bearer('DELETE', `/api/posts/${posts[0]?.post_id}`)
    await until(async () => (await status(send_id)).status === 'cancelled')
  })
})

/** What the home would hold had the database been further than it is. */
const laterPosition = async () => {
  const { readPosition } = await import('../../../plugins/newsletter/repository/state.ts')
  const { database_id, position } = await readPosition(service.db)
  return JSON.stringify({ database_id, position: (position ?? 0) + 1_000_000_000 })
}

describe('what a provider reports', () => {
  test('comes in by a signed webhook, and no job names the address afterwards', async () => {
    await subscribed('ada@example.com', 'bob@example.com')
    const { send_id } = await mailed()
    const secret = `whsec_${Buffer.from('mail secret of 24 bytes!').toString('base64')}`
    await set('email_webhook_secret', secret)
    const email_id = server.to('bob@example.com')[0]?.headers['message-id'] ?? ''
    const body = JSON.stringify({
      type: 'email.bounced',
      created_at: new Date().toISOString(),
      data: { message_id: email_id, email_id, to: ['bob@example.com'], bounce: { type: 'Permanent' } }
    })
    const headers = { 'content-type': 'application/json', ...standard(secret, body) }
    assert.equal((await service.anonymous('POST', '/api/webhooks/email-provider', body, headers)).status, 202)
    await until(async () => (await states(send_id)).bounced === 1)
    assert.deepEqual(await states(send_id), { sent: 1, bounced: 1 })
    // Counted by the cache a moment after the commit.
    await until(async () => (await count()) === 1)
    const jobs = await service.db.query("select name from jobs.job where concat(data, output) like '%@example.com%'")
    assert.deepEqual(jobs, [])
  })

  test('is kept where nobody has subscribed yet and the key of addresses is not made', async () => {
    await set('newsletter_key', '')
    await service.db.script('update newsletter_state set key_made_at = null')
    await report({ kind: 'complained', email: 'eve@example.com' })
    const again = await subscribed('eve@example.com')
    assert.deepEqual([again.added, again.left], [0, 1])
  })

  test('ends mails to who complains or has no mailbox, and pauses after three that came back for now', async () => {
    await subscribed('a@example.com', 'b@example.com', 'c@example.com')
    const bounce = async () => {
      const { send_id } = await mailed()
      const [mail] = server.to('c@example.com').slice(-1)
      const messageId = mail?.headers['message-id'] ?? ''
      await report({ kind: 'bounced', email: 'c@example.com', messageId })
      await report({ kind: 'bounced', email: 'c@example.com', messageId })
      return send_id
    }
    const first = await bounce()
    assert.deepEqual(await states(first), { sent: 2, bounced: 1 })
    await bounce()
    assert.equal((await why('c@example.com')).subscriber.status, 'active')
    await bounce()
    assert.equal((await why('c@example.com')).subscriber.status, 'paused')
    const messageId = server.to('a@example.com').at(-1)?.headers['message-id'] ?? ''
    await report({ kind: 'complained', email: 'A@example.com', messageId })
    await report({ kind: 'bounced', isPermanent: true, email: 'b@example.com' })
    assert.deepEqual(
      [(await why('a@example.com')).subscriber.status, (await why('b@example.com')).subscriber.status, await count()],
      ['complained', 'bounced', 0]
    )
    const again = await subscribed('a@example.com', 'b@example.com', 'd@example.com')
    assert.deepEqual([again.added, again.left], [1, 2])
  })
})

/** Every table of the database that has a row with this text. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await service.db.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await service.db.query(`select from ${name} as r where strpos(lower(r::text), $1) > 0 limit 1`, [text])
    if (rows.length > 0) found.push(name)
  }
  return found
}

describe('subscribers', () => {
  test('are imported, listed, exported and erased; a hash keeps the erased out', async () => {
    const report = await subscribed('ada@example.com', 'ADA@example.com', 'nobody', '=cmd@example.com')
    assert.deepEqual(report.invalid, { count: 1, lines: [4] })
    assert.deepEqual([report.read, report.added, report.left], [4, 2, 1])
    assert.equal((await run('subscribers', 'list', '--status', 'active')).total, 2)
    const exported = await service.run('newsletter', 'subscribers', 'export')
    assert.match(exported.out, /^email,name,status,source,created_at,confirmed_at$/m)
    assert.match(exported.out, /^'=cmd@example\.com,/m)
    // As a form, too: what was typed waits in a table of its own.
    await signUp('ada@example.com')
    assert.deepEqual((await tablesWith('ada@example.com')).sort(), ['public.newsletter_subscribers'])
    await mailed()
    await service.db.query(
      "insert into subscriber_events (source, event_id, event_type, email, payload) values ('mail', 'e1', 'opened', 'Ada@example.com', '{\"to\": \"Ada@example.com\"}')"
    )
    await run('subscribers', 'remove', 'ada@example.com', '--yes')
    const rows = await service.db.query('select email, payload from subscriber_events where source = $1', ['mail'])
    assert.deepEqual(rows, [{ email: null, payload: {} }])
    assert.deepEqual(await tablesWith('ada@example.com'), [])
    const { subscriber, suppression } = await why('ada@example.com')
    assert.deepEqual([subscriber, suppression.reason], [null, 'erased'])
    assert.equal((await subscribed('Ada@example.com')).added, 0)
  })

  test('who was erased gets no mail at another address of the mailbox, by an import or the form', async () => {
    await subscribed('ada@example.com', 'ada+1@example.com', 'carl+news@example.com', 'eve@example.com')
    await run('subscribers', 'remove', 'Ada@example.com', '--yes')
    await run('subscribers', 'remove', 'carl+news@example.com', '--yes')
    // Another tag is the same person: nothing of it stays.
    assert.deepEqual(await tablesWith('ada+1@example.com'), [])
    const others = ['ada+x@example.com', 'carl@example.com', 'carl+2@example.com']
    assert.deepEqual((await subscribed(...others)).left, 3)
    for (const email of others) {
      await signUp(email)
      const { subscriber, suppression } = await why(email)
      assert.deepEqual([subscriber, suppression.reason], [null, 'erased'], email)
    }
    await mailed()
    assert.deepEqual(
      server.received.map(({ to }) => to),
      ['eve@example.com']
    )
  })

  test('an import that is under way is erased, too', { skip: testServerUrl === undefined }, async () => {
    await subscribed('ada@example.com')
    const [known] = await service.db.query<{ plain_hash: string }>('select plain_hash from newsletter_subscribers')
    const added = Promise.withResolvers<void>()
    const erasing = added.promise.then(() => run('subscribers', 'remove', 'ada@example.com', '--yes'))
    await service.db.transaction(async tx => {
      const other = { email: 'ada+x@example.com', name: null, email_hash: 'x', plain_hash: known?.plain_hash ?? '' }
      assert.equal(await insertAgreed(tx, [other]), 1)
      added.resolve()
      const waits = `select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`
      await until(async () => (await tx.query(waits)).length > 0)
    })
    await erasing
    assert.deepEqual(await tablesWith('ada+x@example.com'), [])
  })

  test('a complaint is of the mailbox, a bounce of the address and its tags', async () => {
    await subscribed('ada@example.com', 'bob+news@example.com', 'cy@example.com', 'cy+a@example.com', 'dan@example.com')
    await report({ kind: 'bounced', isPermanent: true, email: 'ada@example.com' })
    // A server that knows no tags refuses this one alone.
    await report({ kind: 'bounced', isPermanent: true, email: 'dan+typo@example.com' })
    await report({ kind: 'complained', email: 'bob+news@example.com' })
    await report({ kind: 'complained', email: 'cy+a@example.com' })
    const again = await subscribed('ada+z@example.com', 'bob@example.com', 'bob+2@example.com', 'dan+z@example.com')
    assert.deepEqual([again.added, again.left], [1, 3])
    await mailed()
    assert.deepEqual(server.received.map(({ to }) => to).sort(), ['dan+z@example.com', 'dan@example.com'])
    await run('subscribers', 'allow', 'cy@example.com')
    const statuses = ['cy@example.com', 'cy+a@example.com'].map(async email => (await why(email)).subscriber.status)
    assert.deepEqual(await Promise.all(statuses), ['unsubscribed', 'unsubscribed'])
    await signUp('cy+b@example.com')
    assert.equal((await why('cy+b@example.com')).subscriber.status, 'pending')
  })

  test('of an export of another installation are added as they are there: who left stays out, who is pending is asked', async () => {
    await subscribed('active@example.com', 'gone@example.com', 'spam@example.com', 'left@example.com')
    await report({ kind: 'bounced', isPermanent: true, email: 'gone@example.com' })
    await report({ kind: 'complained', email: 'spam@example.com' })
    await report({ kind: 'unsubscribed', email: 'left@example.com' })
    await signUp('new@example.com')
    await until(() => server.to('new@example.com').length === 1)
    const { out } = await service.run('newsletter', 'subscribers', 'export')
    const file = path.join(service.home, 'exported.csv')
    await writeFile(file, `${out.trimEnd()}\nodd@example.com,,dormant,,,\n`)
    await service.db.script('delete from newsletter_subscribers; delete from newsletter_suppressions')
    server.received.length = 0
    const imported = await run('subscribers', 'import', file, '--consented')
    assert.deepEqual(imported, {
      ...{ read: 6, added: 1, asked: 1, left: 0, unsubscribed: 3 },
      unknown_status: { count: 1, lines: [7] },
      invalid: { count: 0, lines: [] }
    })
    await until(() => server.to('new@example.com').length === 1)
    const { items } = await run('subscribers', 'list')
    assert.deepEqual(
      items.map(({ email, status }: { email: string; status: string }) => `${email} ${status}`).toSorted(),
      ['active@example.com active', 'new@example.com pending']
    )
    const { out: text } = await runCommand(service.kernel, 'newsletter', 'subscribers', 'import', file, '--consented')
    assert.match(text, /unknown status: 7\. Write active, pending or unsubscribed there/)
  })

  test('who did not agree elsewhere are asked to confirm', async () => {
    const file = path.join(service.home, 'unasked.csv')
    await writeFile(file, 'email\nbob@example.com\n')
    assert.equal((await run('subscribers', 'import', file)).asked, 1)
    await until(() => server.to('bob@example.com').length === 1)
    assert.equal(await count(), 0)
  })
})

// Last, because the second service takes the token from the first.
test('a newsletter that a killed process left is gone on with: nobody is skipped, and who was on the way is named', async () => {
  const emails = Array.from({ length: 30 }, (_, at) => `reader${at}@example.com`)
  await subscribed(...emails)
  let texts = 0
  // After ten mails the server is silent: so the rows stand as a kill leaves them.
  const { promise: silence, resolve: end } = Promise.withResolvers<undefined>()
  server.behave({
    text() {
      texts += 1
      return texts > 10 ? silence : undefined
    }
  })
  const { send_id } = await mailed('sending')
  await until(async () => (await states(send_id)).sending === 5 && (await states(send_id)).sent === 10)
  // Another process takes over, as it does 15 s after the death of this one.
  server.behave({})
  await service.db.query(
    "update newsletter_state set holder = gen_random_uuid(), expires_at = now() - interval '1 second'"
  )
  const other = await startService({ db: service.db })
  await skipDelays()
  await until(async () => (await status(send_id)).status === 'finished')
  end(undefined)
  await untilIdle()
  const receivedThen = [...server.received]
  // While two processes are ready to send, one does.
  await mailed()
  const secondMails = server.received.slice(receivedThen.length)
  assert.deepEqual(secondMails.map(({ to }) => to).sort(), [...emails].sort())
  server.received.length = receivedThen.length
  await untilIdle()
  await other.close()
  assert.deepEqual(await states(send_id), { sent: 30 })
  assert.equal((await status(send_id)).unanswered.total, 5)
  for (const email of emails) assert.ok([1, 2].includes(server.to(email).length), email)
  assert.ok(server.received.length <= 35)
})

// Last: the other tests would find its posts.
test('a digest that is full leaves the older posts for another one', async () => {
  for (let number = 1; number <= 51; number += 1) await makePublicPost(service, { title: `Busy day ${number}` })
  const ofToday = "select post_id from public_posts where published_at > now() - interval '1 day'"
  const ids = (await service.db.query<{ post_id: string }>(ofToday)).map(({ post_id }) => post_id)
  const { out } = await service.run('newsletter', 'digest', '--days', '1')
  assert.match(out, /\nIt holds the newest 50 posts: another digest holds the older ones that were not mailed yet\.$/m)
  const held: string[] = (await run('status')).items[0].post_ids
  const inAll = async () => {
    const { post_ids, left_out, has_more } = await run('digest', '--days', '1', '--again')
    return { post_ids, left_out, has_more }
  }
  assert.deepEqual(await inAll(), { post_ids: held, left_out: 0, has_more: true })
  for (let left = 51; left > 0 && held.length < ids.length; left -= 1) {
    const { post_ids, left_out, has_more } = await run('digest', '--days', '1')
    assert.equal(left_out, held.length)
    held.push(...post_ids)
    assert.equal(has_more, held.length < ids.length)
  }
  assert.deepEqual(held.toSorted(), ids.toSorted())
  const older = ids.length - 50
  assert.deepEqual(await inAll(), { post_ids: held.slice(0, 50), left_out: older, has_more: false })
  // The oldest are counted, too, when newer ones fill the digest.
  for (let number = 1; number <= 51; number += 1) await makePublicPost(service, { title: `Busier day ${number}` })
  const { left_out, has_more } = await run('digest', '--days', '1')
  assert.deepEqual({ left_out, has_more }, { left_out: ids.length, has_more: true })
  assert.equal((await run('digest', '--days', '1')).left_out, ids.length + 50)
  assert.match(
    (await service.run('newsletter', 'digest')).err,
    new RegExp(
      `held all .* already: ${ids.length + 51}\\. With --again all subscribers get the newest 50 of them once more`
    )
  )
  const again = await service.run('newsletter', 'digest', '--again')
  assert.match(
    again.out,
    new RegExp(
      `${ids.length + 1} posts .* held them before\\. The newest 50 are in it: "newsletter send --again" mails an`
    )
  )
})
