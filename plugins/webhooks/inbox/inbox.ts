import { createBatcher } from '#coalescing'
import { type Db, UnavailableError } from '#core'
import { insertDeliveries, type NewDelivery, type StoredDelivery, wakeRepeated } from '../repository/inbox.ts'
import type { Waker } from './waker.ts'

export interface AcceptedDelivery {
  id: string
  /** It was sent before. */
  duplicate: boolean
}

export interface Inbox {
  /** Stores a delivery once. @throws UnavailableError when too many wait for the database */
  accept(delivery: Received): Promise<AcceptedDelivery>
}

interface Received extends Omit<NewDelivery, 'deliveries'> {
  /** A redelivery says that something goes on: it is handled again. */
  isRepeatHandled: boolean
}

/** In one statement at most: a large batch would hold up those who wait for the next one. */
const maxBatch = 200
const maxBatchBytes = 4_194_304
/** Statements under way at once: while some commit, the next is written. */
const maxConcurrent = 4
/** Bodies that wait for the database, of all senders together. */
const maxWaitingBytes = 67_108_864

interface InboxDeps {
  db: Db
  waker: Waker
}

/** Under load one commit serves many senders. */
export function createInbox(deps: InboxDeps): Inbox {
  let waitingBytes = 0
  const { add } = createBatcher<Received, AcceptedDelivery>({
    maxConcurrent,
    maxItems: maxBatch,
    maxSize: maxBatchBytes,
    sizeOf: ({ body }) => body.length,
    run: batch => store(deps, batch),
    // One that the database refuses must not take others with it.
    isRetriedAlone: error => !(error instanceof UnavailableError)
  })
  return {
    async accept(delivery) {
      if (waitingBytes > maxWaitingBytes)
        throw new UnavailableError('Too many webhooks wait for the database: send it again later.')
      waitingBytes += delivery.body.length
      try {
        return await add(delivery)
      } finally {
        waitingBytes -= delivery.body.length
      }
    }
  }
}

/** A blank stands in no name of a source. */
const keyOf = ({ source, event_id }: { source: string; event_id: string }): string => `${source} ${event_id}`

/** The first of those who sent the same is the first delivery, unless it was stored before. */
async function store(deps: InboxDeps, batch: readonly Received[]): Promise<AcceptedDelivery[]> {
  const groups = Map.groupBy(batch, keyOf)
  const stored = await storeGroups(deps, [...groups.values()])
  const rows = new Map(stored.map(row => [keyOf(row), row]))
  return batch.map(delivery => {
    const row = rows.get(keyOf(delivery))
    if (row === undefined) throw new TypeError('A delivery that was just stored is missing.')
    const same = groups.get(keyOf(delivery)) ?? []
    return { id: row.id, duplicate: delivery !== same[0] || row.deliveries > same.length }
  })
}

async function storeGroups({ db, waker }: InboxDeps, groups: readonly Received[][]): Promise<StoredDelivery[]> {
  const first = groups.flatMap(group => group.slice(0, 1).map(delivery => ({ ...delivery, deliveries: group.length })))
  const stored = await insertDeliveries(db, first)
  const given = new Map(first.map(delivery => [keyOf(delivery), delivery]))
  const repeated = stored.filter(row => {
    const delivery = given.get(keyOf(row))
    return delivery?.isRepeatHandled === true && row.deliveries > delivery.deliveries
  })
  if (repeated.length > 0)
    await wakeRepeated(
      db,
      repeated.map(({ id }) => id)
    )
  if (first.some(delivery => delivery.is_handled_later)) waker.wake()
  return stored
}
