import { type Enqueue, jobType, type Tx } from '#core'
import type { Channel, Notice, QueuedNotice, SubjectOutcome } from './index.ts'
import { insertMessages, type NewMessage } from './repository/messages.ts'
import { recordOutcomes } from './repository/outcomes.ts'

/** Sends the waiting messages of a channel. */
export const SendDue = jobType<{ channel: string }>('notify.send')

/** All registered channels. */
export interface Channels {
  add(channel: Channel): void
  find(name: string): Channel | undefined
  /** Channels that are set up. */
  inUse(): Channel[]
  /** Why channels that are set up cannot be used. */
  faults(): string[]
  /** Names of channels that can edit a sent message. */
  editable(): string[]
}

export function createChannels(): Channels {
  const channels = new Map<string, Channel>()
  return {
    add(channel) {
      if (channels.has(channel.name)) throw new TypeError(`the notify channel ${channel.name} is registered twice`)
      channels.set(channel.name, channel)
    },
    find: name => channels.get(name),
    faults: () => [...channels.values()].flatMap(channel => channel.fault?.() ?? []),
    inUse: () => [...channels.values()].filter(channel => channel.target() !== null),
    editable: () => [...channels.values()].filter(channel => channel.showOutcome !== undefined).map(({ name }) => name)
  }
}

/** Queues messages in the transaction of the change they report. */
export interface Outbox {
  /** To every channel in use; never combined. */
  send(tx: Tx, source: string, notice: Notice): Promise<void>
  queue(tx: Tx, notices: readonly QueuedNotice[]): Promise<void>
  /** To one channel, as an answer. */
  answer(tx: Tx, channel: string, source: string, notice: Notice, reply_to: string | null): Promise<void>
  /** Drops pending messages about these items, and marks sent ones to be edited. */
  recordOutcomes(tx: Tx, outcomes: readonly SubjectOutcome[]): Promise<void>
}

export function createOutbox({ enqueue, channels }: { enqueue: Enqueue; channels: Channels }): Outbox {
  const queueFor = async (tx: Tx, channel: string, messages: readonly Omit<NewMessage, 'channel'>[]) => {
    const all = messages.map(message => ({ ...message, channel }))
    if (await insertMessages(tx, all)) await enqueue(tx, SendDue, { channel }, { key: channel })
  }
  const queue: Outbox['queue'] = async (tx, notices) => {
    const messages = notices.map(queued => ({ ...queued, reply_to: null }))
    for (const { name } of channels.inUse()) await queueFor(tx, name, messages)
  }
  return {
    send: (tx, source, notice) => queue(tx, [{ source, notice }]),
    queue,
    answer: (tx, channel, source, notice, reply_to) => queueFor(tx, channel, [{ source, notice, reply_to }]),
    async recordOutcomes(tx, outcomes) {
      for (const channel of await recordOutcomes(tx, outcomes, channels.editable()))
        await enqueue(tx, SendDue, { channel }, { key: channel })
    }
  }
}
