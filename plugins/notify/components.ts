import { type Context, JobDeadLettered, type Needs, on } from '#core'
import { createChatCommands } from './chat-commands.ts'
import { createChatConnections, watchJob } from './chat-connections.ts'
import { createDeliveries, sendJob } from './deliveries.ts'
import type { Notify, QueuedNotice } from './index.ts'
import { deadLetterNotice, testNotice } from './notices.ts'
import { createChannels, createOutbox } from './outbox.ts'
import type { notifySettings } from './settings.ts'
import { createBots, telegramConfig } from './telegram/bot.ts'
import { createTelegramChannel } from './telegram/channel.ts'
import { prepareFrom } from './telegram/incoming.ts'
import { createPolling, pollJob } from './telegram/polling.ts'
import { createWebhookChannel } from './webhook-channel.ts'

type ComponentsContext = Omit<Context<Needs, typeof notifySettings>, 'needs'>

/** Creates and connects the components of the plugin. */
export function createComponents({ settings, db, enqueue, changes, installation, log, now }: ComponentsContext) {
  const channels = createChannels()
  const open = createBots()
  channels.add(createTelegramChannel(settings, open))
  channels.add(createWebhookChannel(settings, now))
  const telegram = () => telegramConfig(settings)
  const outbox = createOutbox({ enqueue, channels })
  const perMinute = () => settings.get('notify_messages_per_minute')
  const deliveries = createDeliveries({ db, enqueue, channels, log, perMinute })
  const chatCommands = createChatCommands()
  const polling = createPolling({ db, outbox, log, config: telegram, open, commandOf: prepareFrom(db, chatCommands) })
  const chatConnections = createChatConnections({ db, enqueue, changes, channels, deliveries, polling, telegram, log })
  const queue = (notice: QueuedNotice) => db.transaction(tx => outbox.queue(tx, [notice]))
  const service: Notify = {
    registerChannel: channels.add,
    registerCommands: chatCommands.add,
    report: (type, kind, noticeOf) =>
      on(type, (payload, { id }) => queue({ source: `event:${id}`, notice: noticeOf(payload), kind })),
    send: outbox.send,
    queue: outbox.queue,
    recordOutcomes: outbox.recordOutcomes
  }
  return {
    service,
    reportDeadLetters: on(JobDeadLettered, deadLetter =>
      queue({ source: `parked:${deadLetter.id}`, notice: deadLetterNotice(deadLetter), kind: 'failed' })
    ),
    channels,
    chatCommands,
    outbox,
    deliveries,
    chatConnections,
    telegram,
    open,
    testNotice: () => testNotice(installation.baseUrl()),
    jobs: [sendJob(deliveries), pollJob(polling, chatConnections.poll), watchJob(chatConnections)]
  }
}
