import type { Changes, Db } from '#core'
import type { Webhooks } from '#plugins/webhooks'
import { addressKey } from './addresses.ts'
import { subscribersCacheTag } from './cache-tags.ts'
import type { FileRow } from './import-file.ts'
import type { Keys } from './keys.ts'
import { deleteSignups, lockAddresses } from './repository/signups.ts'
import {
  deleteByMailbox,
  insertAgreed,
  listIdsByMailbox,
  moveSubscriber,
  suppress,
  unsuppress
} from './repository/subscribers.ts'
import type { Signups } from './signup/signups.ts'

interface SubscriberDeps {
  db: Db
  keys: Keys
  changes: Changes
  signups: Pick<Signups, 'add'>
  /** Reports of mails name addresses, too. */
  webhooks: Pick<Webhooks, 'eraseAddress'> | undefined
}

/** What an import did. */
export interface SubscriberImport {
  read: number
  /** They get the next newsletter. */
  added: number
  /** They get a mail that asks for the confirmation, unless they are known or suppressed. */
  asked: number
  /** Subscribed already, unsubscribed before, or suppressed: left as they are. */
  left: number
  /** The file says that they get no mail: they left, bounced, complained or were removed. */
  unsubscribed: number
  /** Left out, because the file gives them a status that is not known: the numbers of the first 100 lines. */
  unknown_status: LeftOut
  /** Without an address that mail can be sent to: the numbers of the first 100 lines. */
  invalid: LeftOut
}

interface LeftOut {
  count: number
  lines: number[]
}

const batchSize = 500
const maxLines = 100

/** Operators' work on subscribers. */
export interface Subscribers {
  /** `hasConsent`: they agreed elsewhere; else each gets a mail that asks, as do those whom the file calls pending. */
  importAll(rows: AsyncIterable<FileRow>, hasConsent: boolean, signal: AbortSignal): Promise<SubscriberImport>
  /**
   * Erases an address, and all others of its mailbox. What stays is a hash, so that none of them gets mail again. @returns
   * whether one was a subscriber
   */
  erase(email: string): Promise<boolean>
  /** Lets an address sign up again, and all others of its mailbox. @returns whether it was suppressed */
  allow(email: string): Promise<boolean>
}

export function createSubscribers(deps: SubscriberDeps): Subscribers {
  const { db, keys, changes, webhooks } = deps
  return {
    async importAll(rows, hasConsent, signal) {
      const report = emptyReport()
      let batch: FileRow[] = []
      const flush = async () => {
        await importBatch(deps, batch, hasConsent, report)
        batch = []
      }
      for await (const row of rows) {
        signal.throwIfAborted()
        if (countRow(report, row)) batch.push(row)
        if (batch.length === batchSize) await flush()
      }
      await flush()
      return report
    },
    async erase(email) {
      const plain_hash = await keys.plainHashOf(email)
      return db.transaction(async tx => {
        await lockAddresses(tx)
        await suppress(tx, plain_hash, 'erased')
        // Those with another tag are not made subscribers any more.
        await deleteSignups(tx, email)
        const erased = await deleteByMailbox(tx, plain_hash)
        for (const address of new Set([email, ...erased].map(addressKey))) await webhooks?.eraseAddress(tx, address)
        await changes.touch(tx, subscribersCacheTag)
        return erased.length > 0
      })
    },
    async allow(email) {
      const [email_hash, plain_hash] = await Promise.all([keys.hashOf(email), keys.plainHashOf(email)])
      return db.transaction(async tx => {
        for (const subscriber_id of await listIdsByMailbox(tx, plain_hash))
          await moveSubscriber(tx, subscriber_id, 'allow')
        return unsuppress(tx, { email_hash, plain_hash })
      })
    }
  }
}

const emptyReport = (): SubscriberImport => ({
  read: 0,
  added: 0,
  asked: 0,
  left: 0,
  unsubscribed: 0,
  unknown_status: { count: 0, lines: [] },
  invalid: { count: 0, lines: [] }
})

/** @returns whether the row is to be stored */
function countRow(report: SubscriberImport, { line, email, status }: FileRow): boolean {
  report.read += 1
  if (email === null) addLine(report.invalid, line)
  else if (status === 'left') report.unsubscribed += 1
  else if (status === 'unknown') addLine(report.unknown_status, line)
  else return true
  return false
}

function addLine(rows: LeftOut, line: number): void {
  rows.count += 1
  if (rows.lines.length < maxLines) rows.lines.push(line)
}

interface GivenAddress {
  email: string
  name: string | null
}

async function importBatch(
  deps: SubscriberDeps,
  batch: readonly FileRow[],
  hasConsent: boolean,
  report: SubscriberImport
): Promise<void> {
  const agreed: GivenAddress[] = []
  const asked: GivenAddress[] = []
  for (const { email, name, status } of batch)
    if (email !== null) (hasConsent && status === 'active' ? agreed : asked).push({ email, name })
  if (asked.length > 0) {
    const signups = asked.map(one => ({ ...one, source: 'import', language: null }))
    await deps.db.transaction(tx => deps.signups.add(tx, signups))
    report.asked += asked.length
  }
  if (agreed.length === 0) return
  const added = await addAgreed(deps, agreed)
  report.added += added
  report.left += agreed.length - added
}

/** @returns how many were not known before */
async function addAgreed({ db, keys, changes }: SubscriberDeps, given: readonly GivenAddress[]): Promise<number> {
  const hashed = await Promise.all(
    given.map(async one => ({
      ...one,
      email_hash: await keys.hashOf(one.email),
      plain_hash: await keys.plainHashOf(one.email)
    }))
  )
  // The same address twice in a file is one subscriber.
  const distinct = [...new Map(hashed.map(one => [one.email_hash, one])).values()]
  distinct.sort((one, other) => (one.email_hash < other.email_hash ? -1 : 1))
  return db.transaction(async tx => {
    const count = await insertAgreed(tx, distinct)
    await changes.touch(tx, subscribersCacheTag)
    return count
  })
}
