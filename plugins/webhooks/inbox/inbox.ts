import { type Db, type Enqueue, jobType, UnavailableError } from '#core'
import { insertDeliveries, type NewDelivery, type StoredDelivery, wakeRepeated } from '../repository/inbox.ts'

/** Handles what waits in the inbox. */
export const HandleDeliveries = jobType<object>('webhooks.handle')

/** Of one kind of job one waits at a time: it handles all that waits. */
export const wakeKey = { key: 'inbox' }

export interface AcceptedDelivery {
  id: string
  /** It was sent before. */
  duplicate: boolean
}

export interface Inbox {
  /** Stores a delivery once. @throws UnavailableError when too many wait for the database */
  accept(delivery: Received): Promise<AcceptedDelivery>
}

export interface Received extends Omit<NewDelivery, 'deliveries'> {
  /** A redelivery says that something goes on: it is handled again. */
  isRepeatHandled: boolean
}

/** In one transaction at most: a large batch would hold up those who wait for the next one. */
const maxBatch = 200
const maxBatchBytes = 4_194_304
/** Transactions under way at once: while one commits, the next is written. */
const maxConcurrent = 2
/** Bodies that wait for the database, of all senders together. */
const maxWaitingBytes = 67_108_864

interface Waiting {
  delivery: Received
  resolve(accepted: AcceptedDelivery): void
  reject(error: unknown): void
}

/**
 * A delivery that comes while nothing is under way is stored at once. Those that come meanwhile are stored together by the
 * next transaction: under load one commit serves many senders.
 */
export function createInbox({ db, enqueue }: { db: Db; enqueue: Enqueue }): Inbox {
  const waiting: Waiting[] = []
  let waitingBytes = 0
  let underWay = 0
  const storeNext = async () => {
    const batch = takeBatch(waiting)
    waitingBytes -= bytesOf(batch)
    underWay += 1
    await store({ db, enqueue }, batch)
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

interface StoreDeps {
  db: Db
  enqueue: Enqueue
}

/** Answers everybody in the batch. */
async function store(deps: StoreDeps, batch: readonly Waiting[]): Promise<void> {
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

function storeGroups({ db, enqueue }: StoreDeps, groups: readonly Waiting[][]): Promise<StoredDelivery[]> {
  const first = groups.flatMap(group =>
    group.slice(0, 1).map(({ delivery }) => ({ ...delivery, deliveries: group.length }))
  )
  const repeating = new Set(first.filter(({ isRepeatHandled }) => isRepeatHandled).map(keyOf))
  return db.transaction(async tx => {
    const stored = await insertDeliveries(tx, first)
    const sent = new Map(first.map(delivery => [keyOf(delivery), delivery.deliveries]))
    const repeated = stored.filter(row => repeating.has(keyOf(row)) && row.deliveries > (sent.get(keyOf(row)) ?? 0))
    if (repeated.length > 0)
      await wakeRepeated(
        tx,
        repeated.map(({ id }) => id)
      )
    // Last, because whoever wakes the handler waits for whoever else does.
    if (first.some(delivery => delivery.is_handled_later)) await enqueue(tx, HandleDeliveries, {}, wakeKey)
    return stored
  })
}

/** The first of those who sent the same is the first delivery, unless it was stored before. */
function answer(group: readonly Waiting[], stored: ReadonlyMap<string, StoredDelivery>): void {
  for (const [index, { delivery, resolve, reject }] of group.entries()) {
    const row = stored.get(keyOf(delivery))
    if (row === undefined) reject(new TypeError('A delivery that was just stored is missing.'))
    else resolve({ id: row.id, duplicate: index > 0 || row.deliveries > group.length })
  }
}
