import type { Enqueue, Tx } from '#core'
import { jobType } from '#core'
import type { Channel, Notice, NoticeSubject } from './index.ts'
import { insertMessage } from './repository.ts'

/** Sends what a channel has waiting. */
export const SendDue = jobType<{ channel: string }>('notify.send')

/** The channels plugins registered, ours among them. */
export interface Channels {
  add(channel: Channel): void
  find(name: string): Channel | undefined
  /** Those that are set up now. */
  inUse(): Channel[]
}

export function createChannels(): Channels {
  const channels = new Map<string, Channel>()
  return {
    add(channel) {
      if (channels.has(channel.name)) throw new TypeError(`the notify channel ${channel.name} is registered twice`)
      channels.set(channel.name, channel)
    },
    find: name => channels.get(name),
    inUse: () => [...channels.values()].filter(channel => channel.target() !== null)
  }
}

/** Queues messages in the transaction of what they tell of. */
export interface Outbox {
  /** To every channel in use. */
  tell(tx: Tx, source: string, notice: Notice, subject?: NoticeSubject | null): Promise<void>
  /** To one channel, as an answer. */
  answer(tx: Tx, channel: string, source: string, notice: Notice, reply_to: string | null): Promise<void>
}

export function createOutbox({ enqueue, channels }: { enqueue: Enqueue; channels: Channels }): Outbox {
  const queue = async (tx: Tx, channel: string, message: Omit<Parameters<typeof insertMessage>[1], 'channel'>) => {
    if (await insertMessage(tx, { ...message, channel })) await enqueue(tx, SendDue, { channel }, { key: channel })
  }
  return {
    async tell(tx, source, notice, subject = null) {
      for (const { name } of channels.inUse()) await queue(tx, name, { source, notice, subject, reply_to: null })
    },
    answer: (tx, channel, source, notice, reply_to) => queue(tx, channel, { source, notice, subject: null, reply_to })
  }
}
