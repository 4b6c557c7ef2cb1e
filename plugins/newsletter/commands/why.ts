import { table } from '#cli'
import { command, type FieldErrors, type Terminal } from '#core'
import { formatInstant } from '#time'
import { emailFault, parseAddress } from '../addresses.ts'
import type { NewsletterComponents } from '../components.ts'
import { listMailsOf, type MailRow } from '../repository/recipients.ts'
import { findByHash, findSuppression, type Subscriber } from '../repository/subscribers.ts'

const maxMails = 50

interface Why {
  email: string
  /** In a sentence. */
  summary: string
  subscriber: Subscriber | null
  suppression: { reason: string; created_at: string } | null
  /** Newest first. */
  mails: MailRow[]
}

export function whyCommand({ db, keys }: NewsletterComponents) {
  return command({
    describe: 'Why an address gets the newsletter, or does not, and what became of its mails',
    returns: '{email, summary, subscriber, suppression, mails}',
    args: { address: { type: 'positional', describe: 'E-mail address', required: true, placeholder: 'ADDRESS' } },
    validate: ({ address }): FieldErrors =>
      address === undefined || parseAddress(address) !== null ? {} : { address: emailFault },
    async run({ args }): Promise<Why> {
      const email = parseAddress(args.address) ?? args.address
      const [email_hash, plain_hash] = await Promise.all([keys.hashOf(email), keys.plainHashOf(email)])
      const [subscriber, suppression] = await Promise.all([
        findByHash(db, email_hash),
        findSuppression(db, { email_hash, plain_hash })
      ])
      const mails = subscriber === undefined ? [] : await listMailsOf(db, subscriber.subscriber_id, maxMails)
      const summary = summaryOf(subscriber, suppression)
      return { email, summary, subscriber: subscriber ?? null, suppression: suppression ?? null, mails }
    },
    text: whyText
  })
}

const explanations = {
  pending: 'It signed up, or was imported, and has not confirmed: it gets nothing until then.',
  active: 'It gets every newsletter that is started from now on.',
  paused: 'Three mails in a row came back for now: it gets nothing until it signs up again.',
  unsubscribed: 'It unsubscribed: it gets nothing until it signs up again.',
  bounced: 'There is no such mailbox: it gets nothing.',
  complained: 'It reported a mail as spam: it gets nothing.'
}

function summaryOf(subscriber: Subscriber | undefined, suppression: { reason: string } | undefined): string {
  if (subscriber !== undefined) return explanations[subscriber.status]
  if (suppression === undefined) return 'It is not known here: nobody signed it up.'
  return suppression.reason === 'erased'
    ? 'It was erased on request: it gets nothing, whoever signs it up.'
    : `It gets nothing, whoever signs it up: it ${suppression.reason}.`
}

function whyText({ email, summary, subscriber, mails }: Why, terminal: Terminal): string {
  const lines = [`${email}: ${summary}`]
  if (subscriber !== null)
    lines.push(`${subscriber.status} since ${formatInstant(subscriber.status_at, terminal.timeZone)}`)
  if (mails.length === 0) return lines.join('\n')
  const rows = mails.map(({ updated_at, state, send_status, subject, response }) => [
    formatInstant(updated_at, terminal.timeZone),
    state === 'queued' && send_status === 'cancelled' ? 'cancelled' : state,
    subject,
    response ?? ''
  ])
  const columns = [
    { heading: 'AT' },
    { heading: 'STATE' },
    { heading: 'SUBJECT', isText: true },
    { heading: 'ANSWER', isText: true, dropOrder: 1 }
  ]
  return [...lines, '', table(columns, rows, terminal)].join('\n')
}
