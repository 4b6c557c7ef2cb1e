import { createBatcher } from '#coalescing'
import type { Changes, Db, Queryable, Tx } from '#core'
import { subscribersCacheTag } from '../cache-tags.ts'
import { type BegunRecipient, type Result, stepLedger } from '../repository/recipients.ts'
import { moveSubscriber, pauseAfterSoftFailures, suppressSubscribers } from '../repository/subscribers.ts'
import { LeaseLost } from './lease.ts'

/** The rows of the recipients of one mail, written by the connections that send it. */
export interface Ledger {
  /**
   * Writes what became of a mail, and marks the next row as being sent: committed when it resolves. So a killed process
   * leaves one row of each connection of which it is not known how it ended.
   * @returns where to send the next; undefined when that one gets nothing. @throws LeaseLost
   */
  exchange(result: Result | null, next: string | null): Promise<BegunRecipient | undefined>
}

interface LedgerDeps {
  db: Db
  changes: Changes
  send_id: string
  holder: string
}

interface Exchange {
  result: Result | null
  next: string | null
}

/** What all connections ask for while a transaction runs goes into the next one: one commit for many mails. */
export function createLedger(deps: LedgerDeps): Ledger {
  const { add } = createBatcher<Exchange, BegunRecipient | undefined>({
    run: async batch => {
      const begun = await write(deps, batch)
      const free = new Map(begun.map(recipient => [recipient.subscriber_id, recipient]))
      return batch.map(({ next }) => (next === null ? undefined : takeFrom(free, next)))
    }
  })
  return { exchange: (result, next) => add({ result, next }) }
}

/** Two connections that ask for the same row: one gets it. */
function takeFrom(free: Map<string, BegunRecipient>, subscriber_id: string): BegunRecipient | undefined {
  const recipient = free.get(subscriber_id)
  free.delete(subscriber_id)
  return recipient
}

async function write(deps: LedgerDeps, batch: readonly Exchange[]): Promise<BegunRecipient[]> {
  const { db, changes, send_id, holder } = deps
  const results = batch.flatMap(({ result }) => result ?? [])
  const next = batch.flatMap(({ next }) => next ?? [])
  const step = async (on: Queryable) => {
    const begun = await stepLedger(on, { send_id, claim: holder, results, next })
    if (begun === undefined) throw new LeaseLost()
    return begun
  }
  if (!results.some(({ state, is_soft }) => state === 'bounced' || is_soft)) return step(db)
  return db.transaction(async tx => {
    const begun = await step(tx)
    await removeUndeliverable(changes, tx, results)
    return begun
  })
}

/** Who has no such mailbox gets no more mail; whose mailbox refuses for now is paused after some mails. */
async function removeUndeliverable(changes: Changes, tx: Tx, results: readonly Result[]): Promise<void> {
  const gone = results.filter(({ state }) => state === 'bounced').map(({ subscriber_id }) => subscriber_id)
  const soft = results.filter(({ is_soft }) => is_soft).map(({ subscriber_id }) => subscriber_id)
  for (const subscriber_id of gone.sort()) await moveSubscriber(tx, subscriber_id, 'bounce')
  await suppressSubscribers(tx, gone, 'bounced')
  if (soft.length > 0) await pauseAfterSoftFailures(tx, soft)
  await changes.touch(tx, subscribersCacheTag)
}
