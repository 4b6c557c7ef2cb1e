import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SMTPServerOptions } from 'smtp-server'
import { openLink } from '../../../plugins/newsletter/mail/link.ts'
import { outcomeOfError } from '../../../plugins/newsletter/mail/outcome.ts'
import type { MailServer } from '../../../plugins/newsletter/mail/smtp-url.ts'
import { startMailServer } from './mail-server.ts'

const password = 'a password that is not told'
const login = { user: 'ada@example.com', password }
/** As of a server that is not on this machine. */
const elsewhere: Omit<MailServer, 'port'> = { host: '127.0.0.1', isSecure: false, requiresTls: true, login }
const message = Buffer.from('Subject: Tides\r\n\r\nText\r\n')
const envelope = { from: 'news@example.com', to: ['ada@example.com'] }

/** What a mail over a new connection comes to, and how often somebody logged in. */
async function sendTo(target: Omit<MailServer, 'port'>, options: SMTPServerOptions) {
  let logins = 0
  const server = await startMailServer({
    onAuth(auth, _session, done) {
      logins += 1
      done(null, auth.password === password ? { user: auth.username } : undefined)
    },
    ...options
  })
  try {
    const link = await openLink({ ...target, port: server.port }, 'example.com', new AbortController().signal)
    const outcome = await link.send(envelope, message)
    link.close()
    return { outcome, logins, received: server.received.length }
  } catch (error) {
    return { outcome: outcomeOfError(error, 'connect'), logins, received: server.received.length }
  } finally {
    await server.close()
  }
}

describe('a mail server elsewhere gets neither a password nor a mail', () => {
  const without: [what: string, target: Partial<MailServer>, options: SMTPServerOptions, advice: RegExp][] = [
    ['without STARTTLS', {}, { disabledCommands: ['STARTTLS'] }, /no STARTTLS.*: write smtps:\/\//],
    ['by STARTTLS with a certificate that nobody signed', {}, { disabledCommands: [] }, /certificate/],
    ['by TLS with a certificate that nobody signed', { isSecure: true }, { secure: true }, /certificate/],
    ['by TLS where the port begins without it', { isSecure: true }, {}, /write smtp:\/\/ instead of smtps/]
  ]
  for (const [what, target, options, advice] of without)
    test(what, async () => {
      const { outcome, logins, received } = await sendTo({ ...elsewhere, ...target }, options)
      assert.deepEqual([outcome.kind, logins, received], ['down', 0, 0], outcome.response)
      assert.match(outcome.response, advice)
    })
})

describe('a mail server on this machine', () => {
  const here = { ...elsewhere, requiresTls: false }
  const plain = { disabledCommands: ['STARTTLS'], allowInsecureAuth: true }

  test('is used without TLS', async () => {
    const { outcome, logins, received } = await sendTo(here, plain)
    assert.deepEqual([outcome.kind, logins, received], ['sent', 1, 1], outcome.response)
  })

  test('that refuses the login is down, and its answer tells no password and no address', async () => {
    const onAuth: SMTPServerOptions['onAuth'] = ({ username, password: given }, _session, done) =>
      done(new Error(`${username} is not known, or not by ${given === password ? 'that' : 'this'}`))
    const { outcome, received } = await sendTo(here, { ...plain, onAuth })
    assert.deepEqual([outcome.kind, received], ['down', 0])
    assert.match(outcome.response, /\(address\) is not known/)
    assert.match(outcome.response, /535.*smtp_url.*percent-encoded/)
    assert.ok(!outcome.response.includes(password))
  })

  test('that offers no login of a known method has it said, and the password is not called wrong', async () => {
    const { outcome, logins } = await sendTo(here, { ...plain, authMethods: ['XOAUTH2', 'NTLM'] })
    assert.deepEqual([outcome.kind, logins], ['down', 0])
    assert.match(outcome.response, /offers no login that galley knows/)
    assert.doesNotMatch(outcome.response, /check the user and the password/)
  })

  test('is not asked to log in a user without a password', async () => {
    const { outcome, logins } = await sendTo({ ...here, login: { user: login.user, password: '' } }, plain)
    assert.deepEqual([outcome.kind, logins], ['down', 0])
    assert.match(outcome.response, /A user without a password is no login/)
  })

  test('that says nothing after the text is waited for no longer than the caller wishes', async () => {
    const server = await startMailServer()
    server.behave({ text: () => new Promise(() => {}) })
    const link = await openLink(
      { ...here, login: null, port: server.port },
      'example.com',
      new AbortController().signal,
      1000
    )
    const { kind } = await link.send(envelope, message)
    assert.deepEqual([kind, link.isOpen()], ['unanswered', false])
    await server.close()
  })
})
