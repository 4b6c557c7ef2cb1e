import { randomBytes } from 'node:crypto'
import { AppError, ConflictError, command, type FieldErrors, InputError } from '#core'
import { formatInstant, parseWhen, whenForm } from '#time'
import { emailFault, parseAddress } from '../addresses.ts'
import type { NewsletterComponents } from '../components.ts'
import type { Link } from '../mail/link.ts'
import { unsubscribeHeaders } from '../mail/message.ts'
import { type Outcome, outcomeOfError } from '../mail/outcome.ts'
import type { Mailer } from '../mailer.ts'
import { unsubscribePlaceholder } from '../pages/mail-frame.ts'
import type { MailContent } from '../repository/sends.ts'
import { addToRate } from '../repository/signups.ts'
import { maxDigestPosts } from '../sending/contents.ts'
import type { NewDigest } from '../sending/sends.ts'
import type { SendView } from '../sending/views.ts'

const at = {
  type: 'string',
  describe:
    'When it is sent at the earliest: ISO 8601, now, 9pm, "tomorrow 9am", "next monday 14:00" or "in 2h"; default: now',
  placeholder: 'TIME'
} as const
const test = {
  type: 'string',
  describe: 'Send it to this address only, at once and without approval',
  placeholder: 'ADDRESS'
} as const

const again = {
  type: 'boolean',
  describe: 'Also when it was mailed before: all subscribers get it once more'
} as const

/** What a test did. */
interface TestResult {
  test: string
  response: string
}

const checkTest = ({ test, at }: { test?: string | undefined; at?: string | undefined }): FieldErrors => ({
  ...(test !== undefined && parseAddress(test) === null ? { test: emailFault } : {}),
  ...(test !== undefined && at !== undefined ? { at: 'cannot be combined with --test' } : {})
})

export function sendCommand(components: NewsletterComponents) {
  const { db, posts, contents, sends } = components
  return command({
    describe: 'Mail a public post to all subscribers; it waits at the gate newsletter_send',
    returns: 'Newsletter; with --test {test, response}',
    args: {
      post_id: { type: 'positional', describe: 'Id of the post or its task, or 8 or more characters', required: true },
      test,
      at,
      again
    },
    validate: checkTest,
    async run({ args, actor, terminal }): Promise<SendView | TestResult> {
      requireSetUp(components)
      const send_at = readAt(components, args.at)
      const post_id = await posts.resolve(db, args.post_id)
      if (args.test !== undefined)
        return sendTest(components, args.test, await contents.ofPost(post_id), terminal.signal)
      return (await sends.createForPost(post_id, { actor, send_at, isAgain: args.again })) ?? alreadyMailed(post_id)
    },
    text: sentText
  })
}

const alreadyMailed = (post_id: string): never => {
  throw new ConflictError(`The post ${post_id} was mailed already.`)
}

export function digestCommand(components: NewsletterComponents) {
  const { sends, now } = components
  return command({
    describe:
      'Mail the posts of the last days together, but those that a newsletter held before; it waits at the gate newsletter_send',
    returns:
      'Newsletter with left_out, how many posts that were mailed before it does not hold, and has_more, whether older ones that were not are left for another digest; with --test {test, response}',
    args: {
      days: { type: 'integer', describe: 'How many days', default: 7, minimum: 1, maximum: 366 },
      test,
      at,
      again
    },
    validate: checkTest,
    async run({ args, actor, terminal }): Promise<NewDigest | TestResult> {
      requireSetUp(components)
      const send_at = readAt(components, args.at)
      const range = { since: new Date(now().getTime() - args.days * 86_400_000) }
      if (args.test !== undefined) {
        const { content } = await sends.newDigest(range, args.again)
        return sendTest(components, args.test, content ?? nothingNew(args.days), terminal.signal)
      }
      return (await sends.createDigest(range, { actor, send_at, isAgain: args.again })) ?? nothingNew(args.days)
    },
    text: (result, context, args) =>
      [sentText(result, context), ...('left_out' in result ? restTexts(result, args.again) : [])].join('\n')
  })
}

const nothingNew = (days: number): never => {
  throw new ConflictError(`No post was published within ${days} days: there is nothing to mail.`)
}

/** What of its days is not in a digest. */
const restTexts = ({ left_out, has_more, post_ids }: NewDigest, isAgain: boolean): string[] => [
  ...(left_out > 0 ? [`${leftOutText(left_out)} ${isAgain ? onceMore : withAgain}`] : []),
  ...(has_more
    ? [`It holds the newest ${post_ids.length} posts: another digest holds the older ones that were not mailed yet.`]
    : [])
]

const leftOutText = (count: number): string =>
  count === 1
    ? '1 post of these days is left out: a newsletter held it before.'
    : `${count} posts of these days are left out: newsletters held them before.`
const withAgain = `--again takes the newest ${maxDigestPosts}, mailed before or not.`
const onceMore = `The newest ${maxDigestPosts} are in it: "newsletter send --again" mails an older one once more.`

const sentText = (result: SendView | TestResult, { timeZone }: { timeZone: string }): string => {
  if ('test' in result) return `Sent to ${result.test}: ${result.response}`
  const { send_id, subject, status, send_at } = result
  if (status === 'held')
    return `“${subject}” waits for an approval: galley gates approve ${send_id} --gate newsletter_send`
  return `“${subject}” is sent from ${formatInstant(send_at, timeZone)} on: "newsletter status ${send_id}" shows how far it is.`
}

/** @throws ConflictError while no mail can be sent */
function requireSetUp({ mailer }: NewsletterComponents): void {
  const fault = mailer.fault()
  if (fault !== null) throw new ConflictError(fault)
}

/** @throws InputError */
function readAt({ store, now: clock }: NewsletterComponents, text: string | undefined): Date | null {
  if (text === undefined || text.trim().toLowerCase() === 'now') return null
  const now = clock()
  const time = parseWhen(text, now, store.value('operator_timezone'))
  if (time === null) throw new InputError({ at: `is not a time: give ${whenForm}` })
  if (time < now) throw new InputError({ at: `must be in the future: ${time.toISOString()} has passed` })
  return time
}

/** A mail to an address of the operator's. Nobody is unsubscribed by it. */
async function sendTest(
  components: NewsletterComponents,
  address: string,
  content: MailContent,
  signal: AbortSignal
): Promise<TestResult> {
  const to = parseAddress(address) ?? address
  const url = `${components.installation.baseUrl()}/unsubscribe?token=test`
  const outcome = await sendOnce(components, signal, {
    id: `test.${randomBytes(16).toString('hex')}`,
    to,
    subject: `[Test] ${content.subject}`,
    html: content.html.replaceAll(unsubscribePlaceholder, url),
    text: content.text.replaceAll(unsubscribePlaceholder, url),
    headers: unsubscribeHeaders(url)
  })
  if (outcome.kind !== 'sent') throw new AppError('SERVICE_UNAVAILABLE', `${notSent[outcome.kind]} ${outcome.response}`)
  return { test: to, response: outcome.response }
}

/** Somebody waits for it. */
const testSilenceSeconds = 30

async function sendOnce(
  { db, mailer }: NewsletterComponents,
  signal: AbortSignal,
  mail: Parameters<Mailer['send']>[1]
): Promise<Outcome> {
  let link: Link
  try {
    link = await mailer.open(signal, testSilenceSeconds * 1000)
  } catch (error) {
    return outcomeOfError(error, 'connect')
  }
  try {
    await addToRate(db, 'mail', 1)
    return await mailer.send(link, mail)
  } finally {
    link.close()
  }
}

const notSent = {
  down: 'No mail was sent:',
  dropped: `The mail server closed the connection at this recipient, or was silent for ${testSilenceSeconds} seconds. No mail was sent:`,
  deferred: 'The mail server did not take it now:',
  refused: 'The mail server did not take it:',
  unanswered: `The mail server got the mail, and its answer was lost, or did not come within the ${testSilenceSeconds} seconds of a test. The mail may have come: look into the mailbox. The connection ended with:`
}
