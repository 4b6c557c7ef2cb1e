import { type Changes, type Db, type Enqueue, type Job, job, jobType, type Log, type Tx } from '#core'
import type { Deliveries } from './deliveries.ts'
import { type Channels, SendDue } from './outbox.ts'
import { isLeaseFree } from './repository/leases.ts'
import { deleteOld, retryNow } from './repository/messages.ts'
import type { TelegramConfig } from './telegram/bot.ts'
import { botKey, Poll, type Polling } from './telegram/polling.ts'

/** Queues jobs that were lost with their process. */
export const Watch = jobType<Record<string, never>>('notify.watch')

interface ChatConnectionDeps {
  db: Db
  enqueue: Enqueue
  changes: Changes
  channels: Channels
  deliveries: Deliveries
  polling: Polling
  telegram(): TelegramConfig | null
  log: Log
}

/** Starts and stops sending and polling when the chat settings change. */
export interface ChatConnections {
  /** To be called when settings were read: changed channels start or stop now. It does not fail. */
  apply(): Promise<void>
  poll(): Promise<void>
  watch(): Promise<void>
}

export function createChatConnections(deps: ChatConnectionDeps): ChatConnections {
  const { db, enqueue, changes, channels, deliveries, polling, telegram, log } = deps
  // Channels that were set up before this process started keep their retry times. Null: not set up any more.
  const known = new Map<string, string | null>()
  let polled: string | null = null
  const queuePoll = (tx: Tx) => enqueue(tx, Poll, {}, { key: 'poll' })

  const startChanged = async () => {
    const config = telegram()
    const key = JSON.stringify(config)
    const startsPoll = config !== null && key !== polled
    polled = config === null ? null : key
    const inUse = channels.inUse()
    const changed = inUse.filter(channel => known.get(channel.name) !== channel.target())
    const seenBefore = new Set(known.keys())
    for (const name of seenBefore) known.set(name, null)
    for (const channel of inUse) known.set(channel.name, channel.target())
    if (!startsPoll && changed.length === 0) return
    await db.transaction(async tx => {
      for (const { name } of changed) {
        if (seenBefore.has(name)) await retryNow(tx, name)
        await enqueue(tx, SendDue, { channel: name }, { key: name })
      }
      if (startsPoll) await queuePoll(tx)
    })
  }
  return {
    async apply() {
      polling.stopIfOutdated()
      // A one-shot command reads settings too, but starts nothing.
      if (!changes.isCurrent()) return
      await startChanged().catch(error =>
        log.warn({ err: error }, 'a change of the chat settings takes effect within a minute')
      )
    },
    poll: () => db.transaction(queuePoll),
    watch: () =>
      db.transaction(async tx => {
        await deleteOld(tx)
        for (const { name } of channels.inUse()) await deliveries.wakeNext(tx, name)
        const config = telegram()
        if (config !== null && (await isLeaseFree(tx, botKey(config)))) await queuePoll(tx)
      })
  }
}

export const watchJob = (chatConnections: ChatConnections): Job =>
  job(Watch, chatConnections.watch, { cron: '* * * * *' })
