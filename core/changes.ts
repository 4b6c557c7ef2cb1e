import { randomUUID } from 'node:crypto'
import type { Changes } from './contract/changes.ts'
import type { Db, Listener, Tx } from './db/db.ts'
import { notify } from './db/notify.ts'
import type { Log } from './log.ts'

const channel = 'galley_changes'
/** A notification carries less than 8,000 bytes, the sender's id among them. */
const longestTopicBytes = 7_900

const everything = '*'

/** Marks everything as changed, in every process that listens, this one included: the database was restored. */
export const touchEverything = (tx: Tx): Promise<void> => notify(tx, channel, [`${randomUUID()} ${everything}`])

/** The changes of one process, its own and those of others. */
export interface ChangeFeed extends Changes {
  /** As `on`, but not for what this process touches: for whoever applies its own changes as it writes them. */
  onElsewhere(topic: string, drop: () => void): void
  /** Begins to hear of changes made elsewhere. Until then `isCurrent()` is false: a one-shot command reads through. */
  start(): Promise<void>
  stop(): Promise<void>
}

export function createChanges({ db, log }: { db: Db; log: Log }): ChangeFeed {
  const drops = createDrops(log)
  const elsewhere = createDrops(log)
  const dropAll = () => {
    elsewhere.dropAll()
    drops.dropAll()
  }
  const sender = randomUUID()
  let listener: Listener | undefined
  const hear = (payload: string) => {
    const [from, topic] = splitAtSpace(payload)
    // Our own was dropped when it committed.
    if (from === sender) return
    elsewhere.drop(topic)
    drops.drop(topic)
  }
  return {
    touch: async (tx, topic) => {
      if (Buffer.byteLength(topic) > longestTopicBytes) {
        throw new TypeError(`A topic has at most ${longestTopicBytes} bytes, this one ${Buffer.byteLength(topic)}.`)
      }
      await notify(tx, channel, [`${sender} ${topic}`])
      tx.afterCommit(() => drops.drop(topic))
    },
    on: drops.add,
    onElsewhere: elsewhere.add,
    isCurrent: () => listener?.isCurrent() ?? false,
    start: async () => {
      listener ??= await db.listen(channel, hear, dropAll)
      // Nobody heard of changes to what was read before.
      dropAll()
    },
    stop: async () => {
      const closing = listener
      listener = undefined
      await closing?.close()
    }
  }
}

interface Drops {
  add(topic: string, drop: () => void): void
  drop(topic: string): void
  dropAll(): void
}

function createDrops(log: Log): Drops {
  const drops = new Map<string, (() => void)[]>()
  const drop = (topic: string) => {
    if (topic === everything) return dropAll()
    for (const each of drops.get(topic) ?? []) {
      try {
        each()
      } catch (error) {
        log.error({ err: error, topic }, 'what depends on a change could not be dropped')
      }
    }
  }
  const dropAll = () => {
    for (const topic of drops.keys()) drop(topic)
  }
  return { add: (topic, each) => void drops.set(topic, [...(drops.get(topic) ?? []), each]), drop, dropAll }
}

function splitAtSpace(text: string): [string, string] {
  const space = text.indexOf(' ')
  return [text.slice(0, space), text.slice(space + 1)]
}
