import { pageTable, table } from '#cli'
import { command, type Terminal } from '#core'
import { formatInstant } from '#time'
import type { NewsletterComponents } from '../components.ts'
import { countUnanswered, listUnanswered, type UnansweredRow } from '../repository/recipients.ts'
import { countSends, listSends } from '../repository/sends.ts'
import { readViews, type SendView } from '../sending/views.ts'

/** Recipients that one answer names. */
const maxNamed = 1000

interface SendList {
  items: SendView[]
  total: number
  limit: number
  offset: number
}

/** One newsletter with the recipients whose mail may have come twice, or of which nobody knows. */
interface Detail extends SendView {
  unanswered: { total: number; items: UnansweredRow[] }
}

export function sendStatusCommand({ db, sends }: NewsletterComponents) {
  return command({
    describe: 'Newsletters with what became of them; with an id one of them, with the mails without an answer',
    returns: 'list of Newsletter; with an id one of them',
    args: {
      send_id: { type: 'positional', describe: 'Id of a newsletter, or 8 or more of its first characters' },
      limit: { type: 'integer', describe: 'Newsletters on the page, 1–100', default: 20, minimum: 1, maximum: 100 },
      offset: {
        type: 'integer',
        describe: 'Newsletters before the page',
        default: 0,
        minimum: 0,
        maximum: 1_000_000_000
      }
    },
    async run({ args: { send_id, limit, offset } }): Promise<Detail | SendList> {
      if (send_id === undefined) {
        const [rows, total] = await Promise.all([listSends(db, { limit, offset }), countSends(db, null)])
        return { items: await readViews(db, rows), total, limit, offset }
      }
      const send = await sends.read(send_id)
      const [total, items] = await Promise.all([
        countUnanswered(db, send.send_id),
        listUnanswered(db, send.send_id, maxNamed)
      ])
      return { ...send, unanswered: { total, items } }
    },
    text: (result, terminal) => ('items' in result ? listText(result, terminal) : detailText(result, terminal))
  })
}

const columns = [
  { heading: 'ID' },
  { heading: 'STATUS' },
  { heading: 'SENT' },
  { heading: 'OF' },
  { heading: 'NOT TAKEN' },
  { heading: 'FROM', dropOrder: 1 },
  { heading: 'SUBJECT', isText: true }
]

const noneYet = 'No newsletter yet: "newsletter send <post_id>" mails a post to all subscribers.'

function listText(list: SendList, terminal: Terminal): string {
  const rows = list.items.map(({ send_id, status, recipients, send_at, subject }) => [
    send_id.slice(0, 8),
    status,
    String(recipients.sent),
    String(recipients.total),
    String(recipients.refused + recipients.bounced),
    formatInstant(send_at, terminal.timeZone),
    subject
  ])
  return pageTable(columns, rows, { ...list, empty: noneYet }, terminal)
}

function detailText(
  { subject, status, reason, last_error, finished_at, recipients, unanswered }: Detail,
  terminal: Terminal
): string {
  const counts = Object.entries(recipients).filter(([state, count]) => count > 0 && state !== 'total')
  const lines = [
    `“${subject}” is ${status}.`,
    ...(reason === null ? [] : [reason]),
    ...(last_error === null ? [] : [`${finished_at === null ? 'Waits' : 'Waited'}: ${last_error}`]),
    counts.length === 0
      ? status === 'finished'
        ? 'Nobody was subscribed.'
        : 'Nobody has a row yet.'
      : counts.map(([state, count]) => `${count} ${state}`).join(', ')
  ]
  if (unanswered.total === 0) return lines.join('\n')
  const rows = unanswered.items.map(({ email, subscriber_id, state, unanswered: lost }) => [
    email ?? subscriber_id,
    state,
    String(lost)
  ])
  return [
    ...lines,
    '',
    `The answer of the mail server was lost for ${unanswered.total}: the mail may have come once more than it should.`,
    table([{ heading: 'RECIPIENT' }, { heading: 'STATE' }, { heading: 'ANSWERS LOST' }], rows, terminal)
  ].join('\n')
}
