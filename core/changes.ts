import { randomUUID } from 'node:crypto'
import type { Changes } from './contract/changes.ts'
import type { Db, Listener, Tx } from './contract/database.ts'
import { notify } from './db/notify.ts'
import type { Log } from './log.ts'

const channel = 'galley_changes'
/** A notification carries less than 8,000 bytes, the sender's id among them. */
const maxTagBytes = 7_900

const everything = '*'

/** Marks everything as changed, in every process that listens, this one included: the database was restored. */
export const touchEverything = (tx: Tx): Promise<void> => notify(tx, channel, [`${randomUUID()} ${everything}`])

/** The changes of one process, its own and those of others. */
export interface ChangeFeed extends Changes {
  /** As `on`, but not for what this process touches: for whoever applies its own changes as it writes them. */
  onRemoteChange(tag: string, invalidate: () => void): void
  /** Begins to listen for changes made elsewhere. Until then `isCurrent()` is false: a one-shot command reads through. */
  start(): Promise<void>
  stop(): Promise<void>
}

export function createChanges({ db, log }: { db: Db; log: Log }): ChangeFeed {
  const everywhere = createInvalidations(log)
  const remote = createInvalidations(log)
  const invalidateAll = () => {
    remote.invalidateAll()
    everywhere.invalidateAll()
  }
  const sender = randomUUID()
  let listener: Listener | undefined
  const onNotification = (payload: string) => {
    const [from, tag] = splitAtSpace(payload)
    // Our own took effect when it committed.
    if (from === sender) return
    remote.invalidate(tag)
    everywhere.invalidate(tag)
  }
  return {
    touch: async (tx, tag) => {
      if (Buffer.byteLength(tag) > maxTagBytes) {
        throw new TypeError(`A cache tag has at most ${maxTagBytes} bytes, this one ${Buffer.byteLength(tag)}.`)
      }
      await notify(tx, channel, [`${sender} ${tag}`])
      tx.afterCommit(() => everywhere.invalidate(tag))
    },
    on: everywhere.add,
    onRemoteChange: remote.add,
    isCurrent: () => listener?.isCurrent() ?? false,
    start: async () => {
      listener ??= await db.listen(channel, onNotification, invalidateAll)
      // Until now changes to what was read before were not notified.
      invalidateAll()
    },
    stop: async () => {
      const closing = listener
      listener = undefined
      await closing?.close()
    }
  }
}

interface Invalidations {
  add(tag: string, invalidate: () => void): void
  invalidate(tag: string): void
  invalidateAll(): void
}

function createInvalidations(log: Log): Invalidations {
  const callbacks = new Map<string, (() => void)[]>()
  const invalidate = (tag: string) => {
    if (tag === everything) return invalidateAll()
    for (const callback of callbacks.get(tag) ?? []) {
      try {
        callback()
      } catch (error) {
        log.error({ err: error, tag }, 'a cache could not be invalidated after a change')
      }
    }
  }
  const invalidateAll = () => {
    for (const tag of callbacks.keys()) invalidate(tag)
  }
  return {
    add: (tag, callback) => void callbacks.set(tag, [...(callbacks.get(tag) ?? []), callback]),
    invalidate,
    invalidateAll
  }
}

function splitAtSpace(text: string): [string, string] {
  const space = text.indexOf(' ')
  return [text.slice(0, space), text.slice(space + 1)]
}
