/**
 * What a file says of an address: it gets mail, has not confirmed, or gets none because it left, bounced, complained or was
 * removed. `unknown`: what it says is not listed here.
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

/** What is written in a column that asks yes or no, besides. */
const answerWords: typeof statusWords = [
  ['active', 't, on'],
  ['left', 'f, off, never']
]

/** `Opted-Out` and `opted_out` are the same word. */
const wordKey = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim()

/** `emailDisabled` is `email disabled`. */
const headingKey = (text: string): string => wordKey(text.replace(/([a-z])([A-Z])/g, '$1 $2'))

const byWord = (lists: typeof statusWords): ReadonlyMap<string, FileStatus> =>
  new Map(lists.flatMap(([status, words]) => words.split(',').map(word => [wordKey(word), status])))
const statusOfWord = byWord(statusWords)
const statusOfAnswer = byWord([...statusWords, ...answerWords])

const month = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?'
/** Years of zeros are no date: MySQL writes them for none. */
const date = new RegExp(
  `^([12]\\d{3}([-/.]\\d{1,2}){2}|\\d{1,2}([-/.])\\d{1,2}\\3([12]\\d)?\\d{2}|([a-z]{3,9}, )?(\\d{1,2}\\.? ${month}|${month} \\d{1,2}),? [12]\\d{3})($|[t, ])`,
  'i'
)

const statusHeading = /status$|^((e ?mail|subscri(ber|ption)|contact|member|marketing) )?state$/
const subscribedHeading =
  /^((is|has|e ?mail|newsletter|marketing) )*(subscribed( to .*)?|opt(ed)? ?in|accepts (e ?mail )?marketing)$/
const disabledHeading = /^(is )?(e ?mails? |newsletter )?disabled( at| status)?$/
/** Whether, when or why somebody left; blank for all others. */
const leftHeading =
  /\b(un ?subscribed|bounced|complained|opt(ed)? ?out|(block|black|block ?list|black ?list)ed|suppressed|cleaned|deleted|removed)\b/
const leftTimeHeading =
  /\b(unsub(scribe|scription)?|clean|delete|remove|bounce|complaint) (at|time|date|on|status|reason)$/

/** By what the headings name. What tells against mail counts more than what tells for it. */
export function statusReader(headings: readonly string[]): StatusReader {
  const readers = headings.flatMap((heading, at) => {
    const read = readerOf(headingKey(heading))
    return read === undefined ? [] : [(cells: readonly string[]) => read((cells[at] ?? '').trim())]
  })
  return cells => readers.map(read => read(cells)).reduce(stricter, 'active')
}

const byStrictness: readonly FileStatus[] = ['left', 'unknown', 'pending', 'active']

/** Of what is said of one address, what tells more against mail. */
export const stricter = (one: FileStatus, other: FileStatus): FileStatus =>
  byStrictness.indexOf(one) < byStrictness.indexOf(other) ? one : other

/** Whether a word is the status of somebody who left, or has not confirmed. */
export const isStatusWithoutMail = (cell: string): boolean => (statusOfWord.get(wordKey(cell)) ?? 'active') !== 'active'

function readerOf(heading: string): ((cell: string) => FileStatus) | undefined {
  if (leftHeading.test(heading) || leftTimeHeading.test(heading)) return cell => (isNo(cell) ? 'active' : 'left')
  if (disabledHeading.test(heading)) return readDisabled
  // Some write the date of the subscription there.
  if (subscribedHeading.test(heading))
    return cell => statusOfAnswer.get(wordKey(cell)) ?? (date.test(cell) ? 'active' : 'unknown')
  if (statusHeading.test(heading)) return cell => statusOfWord.get(wordKey(cell)) ?? 'unknown'
  return undefined
}

const isNo = (cell: string): boolean => ['', 'false', 'f', 'no', 'n', '0', 'off', 'null'].includes(wordKey(cell))

function readDisabled(cell: string): FileStatus {
  if (isNo(cell)) return 'active'
  return ['true', 't', 'yes', 'y', '1', 'on'].includes(wordKey(cell)) || date.test(cell) ? 'left' : 'unknown'
}
