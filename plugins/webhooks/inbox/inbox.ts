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

interface Waiting {
  delivery: Received
  resolve(accepted: AcceptedDelivery): void
  reject(error: unknown): void
}

interface InboxDeps {
  db: Db
  waker: Waker
}

/**
 * A delivery that comes while little is under way is stored at once. Those that come meanwhile are stored together by the
 * next statement: under load one commit serves many senders.
 */
export function createInbox(deps: InboxDeps): Inbox {
  const waiting: Waiting[] = []
  let waitingBytes = 0
  let underWay = 0
  const storeNext = async () => {
    const batch = takeBatch(waiting)
    waitingBytes -= bytesOf(batch)
    underWay += 1
    await store(deps, batch)
    underWay -= 1
    start()
  }
  const start = () => {
    while (underWay < maxConcurrent && waiting.length > 0) void storeNext()
  }
  return {
    accept: delivery =>
      new Promise((resolve, reject) => {
        if (waitingBytes > maxWaitingBytes) {
          reject(new UnavailableError('Too many webhooks wait for the database: send it again later.'))
          return
        }
        waitingBytes += delivery.body.length
        waiting.push({ delivery, resolve, reject })
        start()
      })
  }
}

const bytesOf = (batch: readonly Waiting[]): number =>
  batch.reduce((sum, { delivery }) => sum + delivery.body.length, 0)

function takeBatch(waiting: Waiting[]): Waiting[] {
  let bytes = 0
  const end = waiting.findIndex(({ delivery }, index) => {
    bytes += delivery.body.length
    return index > 0 && (index >= maxBatch || bytes > maxBatchBytes)
  })
  return waiting.splice(0, end === -1 ? waiting.length : end)
}

/** Answers everybody in the batch. */
async function store(deps: InboxDeps, batch: readonly Waiting[]): Promise<void> {
  const groups = [...Map.groupBy(batch, ({ delivery }) => keyOf(delivery)).values()]
  try {
    const stored = await storeGroups(deps, groups)
    const byKey = new Map(stored.map(row => [keyOf(row), row]))
    for (const group of groups) answer(group, byKey)
  } catch (error) {
    // One that the database refuses must not take others with it.
    if (error instanceof UnavailableError || batch.length === 1) for (const { reject } of batch) reject(error)
    else for (const one of batch) await store(deps, [one])
  }
}

/** A blank stands in no name of a source. */
const keyOf = ({ source, event_id }: { source: string; event_id: string }): string => `${source} ${event_id}`

async function storeGroups({ db, waker }: InboxDeps, groups: readonly Waiting[][]): Promise<StoredDelivery[]> {
  const first = groups.flatMap(group =>
    group.slice(0, 1).map(({ delivery }) => ({ ...delivery, deliveries: group.length }))
  )
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

/** The first of those who sent the same is the first delivery, unless it was stored before. */
function answer(group: readonly Waiting[], stored: ReadonlyMap<string, StoredDelivery>): void {
  for (const [index, { delivery, resolve, reject }] of group.entries()) {
    const row = stored.get(keyOf(delivery))
    if (row === undefined) reject(new TypeError('A delivery that was just stored is missing.'))
    else resolve({ id: row.id, duplicate: index > 0 || row.deliveries > group.length })
  }
}
