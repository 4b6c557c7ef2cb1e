import type { Changes, Tx } from '#core'
import { parseAddress } from './addresses.ts'
import { subscribersCacheTag } from './cache-tags.ts'
import type { EmailReport } from './index.ts'
import type { Keys } from './keys.ts'
import { recordReport } from './repository/recipients.ts'
import {
  findByHash,
  listIdsByMailbox,
  moveSubscriber,
  pauseAfterSoftFailures,
  suppress
} from './repository/subscribers.ts'

const messageIdForm = /^<?([0-9a-f]{8}-[0-9a-f-]{27})\.([0-9a-f]{8}-[0-9a-f-]{27})@/i

/**
 * Takes what a mail provider reports into the row of the recipient and the status of the subscriber. The same event twice
 * changes nothing more.
 */
export async function recordEmailEvent(
  { keys, changes }: { keys: Keys; changes: Changes },
  tx: Tx,
  { kind, isPermanent, email, messageId }: EmailReport
): Promise<void> {
  const address = parseAddress(email)
  if (address === null || !(kind === 'bounced' || kind === 'complained' || kind === 'unsubscribed')) return
  const email_hash = await keys.hashOf(address, tx)
  const subscriber = await findByHash(tx, email_hash)
  const isNew = await recordInLedger(tx, kind, isPermanent, subscriber?.subscriber_id, messageId)
  if (kind === 'complained') await endMailbox(tx, await keys.plainHashOf(address, tx))
  // Also an address that is no subscriber any more: it must not become one by an import. Its mailbox may be there: a server
  // that knows no tags refuses ada+news@ alone.
  if (kind === 'bounced' && isPermanent) await suppress(tx, email_hash, 'bounced')
  if (subscriber !== undefined) {
    const { subscriber_id } = subscriber
    if (kind === 'unsubscribed') await moveSubscriber(tx, subscriber_id, 'unsubscribe')
    else if (kind === 'bounced' && isPermanent) await moveSubscriber(tx, subscriber_id, 'bounce')
    else if (kind === 'bounced' && isNew) await pauseAfterSoftFailures(tx, [subscriber_id])
  }
  await changes.touch(tx, subscribersCacheTag)
}

/** Who complained of a mail gets none at another address of the mailbox either. */
async function endMailbox(tx: Tx, plain_hash: string): Promise<void> {
  await suppress(tx, plain_hash, 'complained')
  for (const subscriber_id of await listIdsByMailbox(tx, plain_hash))
    await moveSubscriber(tx, subscriber_id, 'complain')
}

/** @returns whether the row of the mail changed */
async function recordInLedger(
  tx: Tx,
  kind: EmailReport['kind'],
  isPermanent: boolean,
  known_id: string | undefined,
  messageId: string | undefined
): Promise<boolean> {
  const [, send_id, subscriber_id] = messageIdForm.exec(messageId ?? '') ?? []
  if (send_id === undefined || subscriber_id === undefined) return false
  // A report about one address says nothing of the mail to another.
  if (known_id !== undefined && known_id !== subscriber_id.toLowerCase()) return false
  const mail = { send_id, subscriber_id }
  if (kind === 'complained') return recordReport(tx, mail, 'complain', false)
  return kind === 'bounced' && recordReport(tx, mail, 'bounce', !isPermanent)
}
