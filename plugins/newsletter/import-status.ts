/**
 * What a file says of an address: it gets mail, has not confirmed, or gets none because it left, bounced, complained or was
 * removed. `unknown`: it has a status that is not listed here.
 */
export type FileStatus = 'active' | 'pending' | 'left' | 'unknown'

/** Reads the status of a row. */
type StatusReader = (cells: readonly string[]) => FileStatus

/** As Mailchimp, Kit, beehiiv, MailerLite, Shopify, galley and others write them. */
const statusWords: readonly (readonly [status: FileStatus, words: string])[] = [
  ['active', 'active, subscribed, confirmed, verified, enabled, opted in, opt in, true, yes, y, 1'],
  [
    'pending',
    'pending, unconfirmed, not confirmed, unverified, not verified, validating, awaiting confirmation, pending confirmation'
  ],
  [
    'left',
    `unsubscribed, unsubscribe, unsub, cleaned, bounced, bounce, hard bounced, hard bounce, soft bounced, soft bounce, complained,
     complaint, abuse, spam, spam complaint, marked as spam, junk, deleted, removed, erased, inactive, disabled, archived, blocked,
     blacklisted, blocklisted, suppressed, banned, paused, cancelled, canceled, opted out, opt out, rejected, invalid, undeliverable,
     non subscribed, nonsubscribed, not subscribed, never subscribed, transactional, false, no, n, 0`
  ]
]

/** `Opted-Out` and `opted_out` are the same word. */
const wordKey = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim()

const statusOfWord = new Map(
  statusWords.flatMap(([status, words]) => words.split(',').map(word => [wordKey(word), status]))
)

const statusHeading = /^((e-?mail|subscri(ber|ption)|contact|member|marketing) )?(status|state)$/
const subscribedHeading = /^subscribed( to emails)?$/
const disabledHeading = /^e-?mail disabled$/
/** When somebody left; blank for all others. */
const leftHeading =
  /^(unsub(scribed?|scription)?|clean(ed)?|deleted?|removed?|bounced?|complain(ed|t)|suppressed) (at|time|date|on)$/

/** By what the headings name. What tells against mail counts more than what tells for it. */
export function statusReader(headings: readonly string[]): StatusReader {
  const keys = headings.map(wordKey)
  const readers = keys.flatMap((key, at) => {
    const read = readerOf(key)
    return read === undefined ? [] : [(cells: readonly string[]) => read(cells[at] ?? '')]
  })
  return cells => {
    const found = new Set(readers.map(read => read(cells)))
    return strictest.find(status => found.has(status)) ?? 'active'
  }
}

const strictest: readonly FileStatus[] = ['left', 'unknown', 'pending']

function readerOf(heading: string): ((cell: string) => FileStatus) | undefined {
  if (statusHeading.test(heading)) return cell => statusOfWord.get(wordKey(cell)) ?? 'unknown'
  if (leftHeading.test(heading)) return cell => (['', 'null'].includes(wordKey(cell)) ? 'active' : 'left')
  // Some write the date of the subscription there.
  if (subscribedHeading.test(heading)) return cell => statusOfWord.get(wordKey(cell)) ?? 'active'
  if (disabledHeading.test(heading)) return cell => (statusOfWord.get(wordKey(cell)) === 'active' ? 'left' : 'active')
  return undefined
}
