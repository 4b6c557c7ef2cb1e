import type { Enqueue, Tx } from '#core'
import { jobType } from '#core'
import type { Channel, Notice, NoticeSubject } from './index.ts'
import { insertMessages, type MessageKind, type NewMessage } from './repository.ts'
import { type Over, settleMessages } from './settle-repository.ts'

/** Sends what a channel has waiting. */
export const SendDue = jobType<{ channel: string }>('notify.send')

/** The channels plugins registered, ours among them. */
export interface Channels {
  add(channel: Channel): void
  find(name: string): Channel | undefined
  /** Those that are set up now. */
  inUse(): Channel[]
  /** Why channels that are set up are not in use. */
  faults(): string[]
  /** Names of those that can change a message they sent. */
  settling(): string[]
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
    settling: () => [...channels.values()].filter(channel => channel.settle !== undefined).map(({ name }) => name)
  }
}

/** What to tell; `source` names what it tells of, and is told once. Those of one `kind` are told together when there are many. */
export interface Telling {
  source: string
  notice: Notice
  kind: MessageKind | null
  subject: NoticeSubject | null
}

/** Queues messages in the transaction of what they tell of. */
export interface Outbox {
  /** To every channel in use, always by itself. */
  tell(tx: Tx, source: string, notice: Notice): Promise<void>
  tellMany(tx: Tx, tellings: readonly Telling[]): Promise<void>
  /** To one channel, as an answer. */
  answer(tx: Tx, channel: string, source: string, notice: Notice, reply_to: string | null): Promise<void>
  /** What was told is over: it is not told any more, and messages that told of it say so. */
  settle(tx: Tx, over: readonly Over[]): Promise<void>
}

export function createOutbox({ enqueue, channels }: { enqueue: Enqueue; channels: Channels }): Outbox {
  const queue = async (tx: Tx, channel: string, messages: readonly Omit<NewMessage, 'channel'>[]) => {
    const all = messages.map(message => ({ ...message, channel }))
    if (await insertMessages(tx, all)) await enqueue(tx, SendDue, { channel }, { key: channel })
  }
  const tellMany: Outbox['tellMany'] = async (tx, tellings) => {
    const messages = tellings.map(telling => ({ ...telling, reply_to: null }))
    for (const { name } of channels.inUse()) await queue(tx, name, messages)
  }
  return {
    tell: (tx, source, notice) => tellMany(tx, [{ source, notice, kind: null, subject: null }]),
    tellMany,
    answer: (tx, channel, source, notice, reply_to) =>
      queue(tx, channel, [{ source, notice, kind: null, subject: null, reply_to }]),
    async settle(tx, over) {
      for (const channel of await settleMessages(tx, over, channels.settling()))
        await enqueue(tx, SendDue, { channel }, { key: channel })
    }
  }
}
