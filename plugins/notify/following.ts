import { type Changes, type Db, type Enqueue, type Job, job, jobType, type Log, type Tx } from '#core'
import type { Deliveries } from './delivery.ts'
import { type Channels, SendDue } from './messages.ts'
import { hasten, prune } from './repository.ts'
import type { TelegramConfig } from './telegram/bot.ts'
import { isTurnFree } from './telegram/poll-repository.ts'
import { botOf, Poll, type Polling } from './telegram/polling.ts'

/** Starts what was missed: a wake that was lost with its process. */
export const Watch = jobType<Record<string, never>>('notify.watch')

export interface FollowingDeps {
  db: Db
  enqueue: Enqueue
  changes: Changes
  channels: Channels
  deliveries: Deliveries
  polling: Polling
  telegram(): TelegramConfig | null
  log: Log
}

/** Keeps sending and polling in line with the settings. */
export interface Following {
  /** To be called when settings were read: what is set up otherwise than before starts, or ends, now. */
  settingsRead(): void
  poll(): Promise<void>
  watch(): Promise<void>
}

export function createFollowing(deps: FollowingDeps): Following {
  const { db, enqueue, changes, channels, deliveries, polling, telegram, log } = deps
  // What a process starts with waits for its own time: a service that asked to wait was heard by the one before.
  const known = new Map<string, string | null>()
  let polled: string | null = null
  const queuePoll = (tx: Tx) => enqueue(tx, Poll, {}, { key: 'poll' })

  const follow = async () => {
    const config = telegram()
    const key = JSON.stringify(config)
    const startsPoll = config !== null && key !== polled
    polled = config === null ? null : key
    const changed = channels.inUse().filter(channel => known.get(channel.name) !== channel.target())
    const wasSetUp = new Set(known.keys())
    for (const channel of changed) known.set(channel.name, channel.target())
    if (!startsPoll && changed.length === 0) return
    await db.transaction(async tx => {
      for (const { name } of changed) {
        if (wasSetUp.has(name)) await hasten(tx, name)
        await enqueue(tx, SendDue, { channel: name }, { key: name })
      }
      if (startsPoll) await queuePoll(tx)
    })
  }
  return {
    settingsRead() {
      polling.follow()
      // A command that ends at once reads settings, too; it starts nothing.
      if (!changes.isCurrent()) return
      follow().catch(error => log.warn({ err: error }, 'a change of the chat settings takes effect within a minute'))
    },
    poll: () => db.transaction(queuePoll),
    watch: () =>
      db.transaction(async tx => {
        await prune(tx)
        for (const { name } of channels.inUse()) await deliveries.wakeNext(tx, name)
        const config = telegram()
        if (config !== null && (await isTurnFree(tx, botOf(config)))) await queuePoll(tx)
      })
  }
}

export const watchJob = (following: Following): Job => job(Watch, following.watch, { cron: '* * * * *' })
