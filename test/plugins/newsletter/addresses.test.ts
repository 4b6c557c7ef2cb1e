import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mailboxKey, parseAddress, withoutAddresses } from '../../../plugins/newsletter/addresses.ts'
import { csvLine, readSubscribers } from '../../../plugins/newsletter/import-file.ts'
import { parseMailbox } from '../../../plugins/newsletter/mail/mailbox.ts'
import { outcomeOfError, shownResponse } from '../../../plugins/newsletter/mail/outcome.ts'
import { parseSmtpUrl, smtpFault } from '../../../plugins/newsletter/mail/smtp-url.ts'
import { nextDigest } from '../../../plugins/newsletter/sending/digests.ts'
import { createPace } from '../../../plugins/newsletter/sending/pace.ts'
import { resultOfMail } from '../../../plugins/newsletter/sending/results.ts'
import { triesFor } from '../../../plugins/newsletter/signup/captcha.ts'
import { readerLanguages } from '../../../plugins/newsletter/texts/languages.ts'
import { localeFor } from '../../../plugins/newsletter/texts/read-texts.ts'

const addresses: [text: string, address: string | null][] = [
  ['ada@example.com', 'ada@example.com'],
  [' Ada.L+x@EXAMPLE.com ', 'Ada.L+x@example.com'],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
  ["o'hara@example.co.uk", "o'hara@example.co.uk"],
  ['ada@example.com.', null],
  ['ada@localhost', null],
  ['ada@127.0.0.1', null],
  ['ada@[127.0.0.1]', null],
  ['ada@1.2', null],
  ['.ada@example.com', null],
  ['a..b@example.com', null],
  ['"a b"@example.com', null],
  ['ädä@example.com', null],
  ['ada@exa mple.com', null],
  ['ada@ex%61mple.com', null],
  ['ada@example.com\r\nBcc: eve@example.com', null],
  ['ada@example.com,eve@example.com', null],
  ['ada@example.com>', null],
  ['Ada <ada@example.com>', null],
  ['@example.com', null],
  ['', null],
  [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  [`${'a'.repeat(65)}@example.com`, null],
  [`a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(63)}.com`, null]
]
for (const [text, address] of addresses) {
  test(`${JSON.stringify(text.slice(0, 40))} is ${address === null ? 'no address' : 'an address'}`, () =>
    assert.equal(parseAddress(text), address))
}

test('an address that is taken is one header-safe line, and is taken again as it is', () => {
  fc.assert(
    fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: 'binary' })), text => {
      const address = parseAddress(text)
      if (address === null) return
      assert.match(address, /^[\x21-\x7e]+@[a-z0-9.-]+$/)
      assert.doesNotMatch(address, /[<>,;:"()\\[\]\s]/)
      assert.equal(parseAddress(address), address)
    })
  )
})

test('no address stays in what is logged and stored of an answer', () => {
  const answer = '550 5.1.1 <ada@example.com>: unknown; see mailto:postmaster@mx.example.com\r\n'
  assert.equal(shownResponse(answer), '550 5.1.1 <(address)>: unknown; see mailto:(address)')
  fc.assert(fc.property(fc.emailAddress(), email => !withoutAddresses(`for ${email}: no`).includes(email)))
})

test('a sender is an address, with or without a name', () => {
  assert.deepEqual(parseMailbox('The "Tides" <News@Example.com>'), { name: 'The Tides', address: 'News@example.com' })
  assert.deepEqual(parseMailbox('news@example.com'), { name: '', address: 'news@example.com' })
  for (const text of ['The Tides', 'a <b@example.com> c', 'x\r\nBcc: y <b@example.com>', '<>'])
    assert.equal(parseMailbox(text), null, text)
})

test('a mail server has TLS unless it is on this machine, and no options in its address', () => {
  const requiresTls = (url: string) => parseSmtpUrl(url)?.requiresTls
  assert.equal(requiresTls('smtp://mail.example'), true)
  assert.equal(requiresTls('smtp://127.0.0.1:2525'), false)
  assert.equal(requiresTls('smtp://localhost'), false)
  assert.equal(requiresTls('smtp://127.0.0.1.example'), true)
  assert.deepEqual(parseSmtpUrl('smtps://a%40b:p%3Aw@mail.example'), {
    host: 'mail.example',
    port: 465,
    isSecure: true,
    requiresTls: false,
    login: { user: 'a@b', password: 'p:w' }
  })
  for (const url of [
    'http://mail.example',
    'smtp://',
    'smtps://mail.example/?tls.rejectUnauthorized=false',
    'smtp://a:%zz@b.c'
  ])
    assert.match(smtpFault(url) ?? '', /must be smtps/, url)
})

test('what a server answers decides what becomes of the mail', () => {
  const outcome = (responseCode: number, response: string, command: string) =>
    outcomeOfError(Object.assign(new Error('no'), { responseCode, response, command }), 'envelope')
  const kinds: [kind: object, outcome: ReturnType<typeof outcome>][] = [
    [{ kind: 'refused', isAddress: true, isSoft: false }, outcome(550, '550 5.1.1 unknown', 'RCPT TO')],
    [{ kind: 'refused', isAddress: true, isSoft: false }, outcome(550, '550 No such user', 'RCPT TO')],
    [{ kind: 'refused', isAddress: false, isSoft: false }, outcome(550, '550 5.7.1 spam', 'RCPT TO')],
    [{ kind: 'refused', isAddress: false, isSoft: true }, outcome(552, '552 5.2.2 full', 'RCPT TO')],
    [{ kind: 'refused', isAddress: false, isSoft: false }, outcome(554, '554 spam', 'DATA')],
    [{ kind: 'deferred' }, outcome(451, '451 4.7.1 greylisted', 'RCPT TO')],
    [{ kind: 'dropped' }, outcome(421, '421 too many', 'RCPT TO')],
    [{ kind: 'down' }, outcome(421, '421 too many', 'MAIL FROM')],
    [{ kind: 'down' }, outcome(550, '550 5.7.1 sender', 'MAIL FROM')],
    [{ kind: 'down' }, outcome(535, '535 bad login', 'AUTH PLAIN')]
  ]
  for (const [expected, { response, ...found }] of kinds) assert.deepEqual(found, expected, response)
  assert.equal(outcomeOfError(new Error('gone'), 'text').kind, 'unanswered')
  assert.equal(outcomeOfError(new Error('gone'), 'envelope').kind, 'dropped')
  assert.equal(outcomeOfError(new Error('gone'), 'connect').kind, 'down')
})

test('what hinders a connection is said with what to do', () => {
  const advice: [codes: object, text: RegExp][] = [
    [{ code: 'ESOCKET', originalCode: 'ECONNREFUSED' }, /check the host and the port of smtp_url/],
    [{ code: 'EDNS', originalCode: 'ENOTFOUND' }, /not known: check smtp_url/],
    [{ code: 'ETIMEDOUT' }, /did not answer in time: check .*465 needs smtps:\/\//],
    [
      { code: 'ESOCKET', originalCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
      /in NODE_EXTRA_CA_CERTS, and start galley again/
    ],
    [{ code: 'ESOCKET', originalCode: 'ERR_TLS_CERT_ALTNAME_INVALID' }, /write the name that it is for/],
    [{ code: 'EAUTH', responseCode: 454, response: '454 later' }, /^454 later$/],
    [{}, /^gone$/]
  ]
  for (const [codes, text] of advice) {
    const { kind, response } = outcomeOfError(Object.assign(new Error('gone'), codes), 'connect')
    assert.equal(kind, 'down')
    assert.match(response, text)
  }
})

test('a mail is put off for 16 hours at most, and sent once more after an answer that was lost', () => {
  const row = { subscriber_id: 'x', attempts: 0, unanswered: 0 }
  const deferred = (attempts: number) => resultOfMail({ ...row, attempts }, { kind: 'deferred', response: '451' })
  assert.deepEqual([deferred(0).state, deferred(0).delay_seconds], ['queued', 60])
  assert.deepEqual([deferred(8).state, deferred(8).is_soft], ['refused', true])
  const lost = (unanswered: number) => resultOfMail({ ...row, unanswered }, { kind: 'unanswered', response: '' })
  assert.deepEqual([lost(0).state, lost(0).unanswered], ['queued', 1])
  assert.deepEqual([lost(1).state, lost(1).unanswered], ['unanswered', 2])
})

test('mails are spread over the second, and end with the day’s', () => {
  let clock = 1000
  const pace = createPace({ perSecond: 4, perDay: 3 }, 0, () => clock)
  assert.deepEqual([pace.reserve(), pace.reserve(), pace.hasRoom()], [0, 250, true])
  clock = 2000
  assert.deepEqual([pace.reserve(), pace.hasRoom()], [0, false])
})

test('digests keep their time of day, and leave out no day of a pause', () => {
  const at = (day: number, hour = 9) => new Date(Date.UTC(2026, 0, day, hour))
  const next = (last: Date | null, now: Date) => nextDigest(last, 7, { now, timeZone: 'UTC' })
  assert.deepEqual(next(null, at(20)), { since: at(13), at: at(20) })
  assert.equal(next(at(13), at(20, 8)), null)
  assert.deepEqual(next(at(13), at(20, 15)), { since: at(6), at: at(20) })
  assert.deepEqual(next(at(1), at(20)), { since: new Date(Date.UTC(2025, 11, 25, 9)), at: at(15) })
  assert.deepEqual(next(at(28), at(20)), { since: at(7), at: at(14) }, 'made while the clock was ahead')
  assert.equal(next(new Date(at(20).getTime() + 400), at(20)), null, 'made where the clock is a little ahead')
})

test('digests keep their time of day when the clocks change', () => {
  const next = (last: string, now: string) => {
    const due = nextDigest(new Date(last), 1, { now: new Date(now), timeZone: 'Europe/Berlin' })
    return due && [due.since.toISOString(), due.at.toISOString()]
  }
  // 09:00 is 08:00Z before the 29th of March, and again from the 25th of October on.
  assert.deepEqual(next('2026-03-28T08:00:00Z', '2026-03-29T07:00:00Z'), [
    '2026-03-27T08:00:00.000Z',
    '2026-03-29T07:00:00.000Z'
  ])
  assert.equal(next('2026-10-24T07:00:00Z', '2026-10-25T07:59:00Z'), null)
  assert.deepEqual(next('2026-10-24T07:00:00Z', '2026-10-25T08:00:00Z'), [
    '2026-10-23T07:00:00.000Z',
    '2026-10-25T08:00:00.000Z'
  ])
})

test('the proof of work gets harder with the sign-ups', () => {
  assert.deepEqual([0, 19, 20, 40, 120, 100_000].map(triesFor), [1000, 1000, 2000, 4000, 64_000, 64_000])
})

const rowsOf = async (text: string) => {
  const rows = []
  for await (const { email, name, status } of readSubscribers(text)) rows.push([email, name, status])
  return rows
}

test('CSV of other newsletters and lists of addresses are read', async () => {
  const ghost = 'id,email,name,subscribed_to_emails\n1,ada@example.com,"Lovelace, Ada",true\n2,bob@example.com,,false\n'
  assert.deepEqual(await rowsOf(ghost), [
    ['ada@example.com', 'Lovelace, Ada', 'active'],
    ['bob@example.com', null, 'left']
  ])
  assert.deepEqual(await rowsOf('\ufeffEmail Address,First Name\r\nada@example.com,Ada\r\n'), [
    ['ada@example.com', 'Ada', 'active']
  ])
  assert.deepEqual(await rowsOf('ada@example.com\n\nnobody\n'), [
    ['ada@example.com', null, 'active'],
    [null, null, 'active']
  ])
  await assert.rejects(rowsOf('a,b\n1,2\n'), /not valid/)
  await assert.rejects(rowsOf('email\n"ada'), /not valid/)
})

test('the cells of a file end with commas, semicolons or tabs, as its first line shows', async () => {
  const rows = [
    ['ada@example.com', 'Lovelace, Ada', 'left'],
    ['bob@example.com', null, 'active']
  ]
  for (const [separator, quote] of [
    [',', '"'],
    [';', ''],
    [';', '"'],
    ['\t', '']
  ]) {
    const line = (...cells: string[]) => `${cells.map(cell => `${quote}${cell}${quote}`).join(separator)}\r\n`
    const text = `\ufeff${line('name', 'email', 'status')}${line('Lovelace, Ada', 'ada@example.com', 'cleaned')}${line('', 'bob@example.com', 'active')}`
    assert.deepEqual(await rowsOf(text), rows, text)
  }
  assert.deepEqual(await rowsOf('ada@example.com;Ada\nbob@example.com;\n'), [
    ['ada@example.com', 'Ada', 'active'],
    ['bob@example.com', null, 'active']
  ])
})

test('what a file says of a subscriber is read, and nothing that it says otherwise is taken for active', async () => {
  const statuses: [heading: string, cells: string[], status: string][] = [
    ['status', ['active', 'Subscribed', 'CONFIRMED'], 'active'],
    ['status', ['unsubscribed', 'Cleaned', 'bounced', 'complained', 'paused', 'deleted', 'inactive', 'spam'], 'left'],
    ['State', ['Opted-Out', 'hard_bounced', 'cancelled', 'archived'], 'left'],
    ['Subscription Status', ['pending', 'Unconfirmed', 'not_confirmed'], 'pending'],
    ['status', ['', 'California', 'constructor'], 'unknown'],
    ['Email subscriber status', ['Subscribed'], 'active'],
    ['Email subscriber status', ['Unsubscribed', 'Never subscribed'], 'left'],
    ['Payment status', ['paid', ''], 'unknown'],
    ['State', ['ON'], 'unknown'],
    ['subscribed', ['false', 'no', '0', 'f', 'off', 'Never', 'unsubscribed'], 'left'],
    ['is_subscribed', ['TRUE', 't', '1', 'on', 'yes'], 'active'],
    ['subscribed_to_emails', ['true', '2026-01-31', '31.01.2026', '1/31/26', 'Jan 31, 2026', '31 Jan 2026'], 'active'],
    ['subscribed', ['', '-', '?', 'no 1', '0000-00-00 00:00:00', '2', 'May'], 'unknown'],
    ['Opt-in', ['yes', 'opted in', '2026-01-31T09:00:00Z'], 'active'],
    ['Opt-in', ['no'], 'left'],
    ['Accepts Email Marketing', ['yes'], 'active'],
    ['accepts_marketing', ['no', 'false'], 'left'],
    ['accepts_marketing', [''], 'unknown'],
    ['OPTIN_TIME', ['', '2026-01-31 09:00:00'], 'active'],
    ['Unsubscribed from all email', ['Yes', 'true', '1', 'x', '2026-01-31'], 'left'],
    ['Unsubscribed from all email', ['', 'No', 'false', '0'], 'active'],
    ['Date unsubscribed', ['2026-01-31'], 'left'],
    ['opt_out_time', ['2026-01-31', '1769850000'], 'left'],
    ['optedOut', ['true'], 'left'],
    ['Opt-out status', ['true', 'yes'], 'left'],
    ['Bounce status', ['true', 'hard'], 'left'],
    ['bounced', ['true', '3'], 'left'],
    ['Complained', ['yes'], 'left'],
    ['blocked', ['1'], 'left'],
    ['is_suppressed', ['true'], 'left'],
    ['cleaned', ['2026-01-31'], 'left'],
    ['Unsubscribe link', ['https://x.example'], 'active'],
    ['unsubscribed_at', ['2026-01-31T09:00:00Z'], 'left'],
    ['UNSUB_TIME', ['2026-01-31 09:00:00'], 'left'],
    ['clean_time', ['2026-01-31'], 'left'],
    ['Deleted At', ['2026-01-31'], 'left'],
    ['bounced_at', [''], 'active'],
    ['email_disabled', ['true', 'T', '1', 'yes', '2026-01-31'], 'left'],
    ['emailDisabled', ['', 'false', 'f', 'no', '0'], 'active'],
    ['E-Mail disabled', ['maybe', 'bounced'], 'unknown']
  ]
  for (const [heading, cells, status] of statuses)
    for (const cell of cells) {
      const rows = await rowsOf(`email,${heading},tags\nada@example.com,"${cell}",spam\n`)
      assert.deepEqual(rows, [['ada@example.com', null, status]], `${heading}: ${cell}`)
    }
  const both = 'email,status,unsubscribed_at\nada@example.com,active,2026-01-31\nbob@example.com,pending,\n'
  assert.deepEqual(
    (await rowsOf(both)).map(([, , status]) => status),
    ['left', 'pending']
  )
})

test('of an address that a file has twice, what tells against mail counts, whatever the order', async () => {
  const statuses = ['active', 'pending', 'dormant', 'unsubscribed']
  const stored = ['active', 'pending', 'unknown', 'left']
  for (const [one, first] of statuses.entries())
    for (const [other, second] of statuses.entries()) {
      const between = 'eve@example.com,active\n'.repeat(600)
      const rows = await rowsOf(`email,status\nada@example.com,${first}\n${between}ADA@Example.com,${second}\n`)
      const expected = stored[Math.max(one, other)]
      assert.deepEqual([rows[0]?.[2], rows[1]?.[2], rows.at(-1)?.[2]], [expected, 'active', expected])
    }
})

test('a file without headings that says who gets no mail is refused before anything of it is read', async () => {
  for (const word of ['unsubscribed', 'Bounced', 'pending', 'not_confirmed', 'false']) {
    const text = `bob@example.com,Bob,active\nada@example.com,Ada,${word}\n`
    const file = `has no headings, and "${word}" in line 2: add a first line that names its columns, such as email,name,status`
    await assert.rejects(readSubscribers(text).next(), { fields: { file } })
  }
  assert.deepEqual(await rowsOf('ada@example.com,Ada,active\nbob@example.com,Bob,\n'), [
    ['ada@example.com', 'Ada', 'active'],
    ['bob@example.com', 'Bob', 'active']
  ])
  assert.deepEqual(await rowsOf('1,ada@example.com,Ada\n'), [['ada@example.com', 'Ada', 'active']])
})

test('a first line in which an address is only mentioned is no address', async () => {
  await assert.rejects(rowsOf('Kontakt a@b.de,Status\nada@example.com,abgemeldet\n'), /not valid/)
})

test('the line by which Excel names the separator is skipped', async () => {
  const linesOf = async (text: string) => {
    const lines = []
    for await (const { line, email, name } of readSubscribers(text)) lines.push([line, email, name])
    return lines
  }
  const starts: [start: string, separator: string, end: string][] = [
    ['sep=;', ';', '\r\n'],
    ['\ufeffSEP=|', '|', '\n'],
    ['"sep=,"', ',', '\n'],
    ['sep=\t', '\t', '\r\n']
  ]
  for (const [start, separator, end] of starts) {
    const row = `ada@example.com${separator}Ada${end}`
    const withHeadings = `${start}${end}email${separator}name${end}${row}`
    assert.deepEqual(await linesOf(withHeadings), [[3, 'ada@example.com', 'Ada']], start)
    assert.deepEqual(await linesOf(`${start}${end}${row}`), [[2, 'ada@example.com', 'Ada']], start)
  }
})

test('an exported cell is no formula', () => {
  assert.equal(csvLine(['ada@example.com', '=1+1', 'a "b", c', null]), `ada@example.com,'=1+1,"a ""b"", c",`)
})

test('an exported address is imported as it was, also one that a spreadsheet would take for a formula', async () => {
  const exported = ['+', '-', '=', '@', "'+", "''=", "'", ''].map(start => `${start}ada@example.com`)
  const text = `email,name\n${exported.map(email => csvLine([email, '=Ada'])).join('\n')}\n`
  const rows = exported.map(email => (email.startsWith('@') ? [null, '=Ada', 'active'] : [email, '=Ada', 'active']))
  assert.deepEqual(await rowsOf(text), rows)
})

test('a mailbox is the same for addresses that are delivered to it', () => {
  const mailboxes: [address: string, mailbox: string][] = [
    ['Ada@example.com', 'ada@example.com'],
    ['ada+news@example.com', 'ada@example.com'],
    ['ada+a+b@example.com', 'ada@example.com'],
    ['a.d.a@example.com', 'a.d.a@example.com'],
    ['A.da+x@gmail.com', 'ada@gmail.com'],
    ['ada@googlemail.com', 'ada@gmail.com'],
    ['+x@example.com', '+x@example.com']
  ]
  for (const [address, mailbox] of mailboxes) assert.equal(mailboxKey(address), mailbox)
})

test('every language says the same: no text is blank, and each has the values of the English one', () => {
  const valuesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort()
  const english = Object.entries(readerLanguages.en)
  for (const [tag, texts] of Object.entries(readerLanguages)) {
    const said = new Map(Object.entries(texts))
    for (const [key, text] of english) {
      assert.notEqual(said.get(key)?.trim() ?? '', '', `${tag} ${key}`)
      assert.deepEqual(valuesIn(said.get(key) ?? ''), valuesIn(text), `${tag} ${key}`)
    }
  }
})

test('a reader is spoken to in the first language that there is', () => {
  const voices: [tags: (string | null)[], language: string, direction: string][] = [
    [['de-CH', 'fr'], 'de', 'ltr'],
    [[null, 'he'], 'he', 'rtl'],
    [['pl', 'pt-BR'], 'pt', 'ltr'],
    [['zh-TW'], 'zh-Hant', 'ltr'],
    [['zh-hant'], 'zh-Hant', 'ltr'],
    [['zh-CN'], 'zh', 'ltr'],
    [['__proto__', 'constructor', ''], 'en', 'ltr']
  ]
  for (const [tags, language, direction] of voices) {
    const locale = localeFor(...tags)
    assert.deepEqual([locale.language, locale.direction], [language, direction])
  }
  assert.equal(
    localeFor('de').text('mailSubject', { title: '{title} $& x' }),
    'Bestätigen Sie Ihr Abonnement von {title} $& x'
  )
})
