import type { Context, Needs, SettingsStore } from '#core'
import type { Gates } from '#plugins/gates'
import type { Posts } from '#plugins/posts'
import type { Tasks } from '#plugins/tasks'
import { createChatSettings, watchJob } from './chat-settings.ts'
import { createDeliveries, sendJob } from './deliveries.ts'
import { testNotice } from './notices.ts'
import { createChannels, createOutbox } from './outbox.ts'
import type { notifySettings } from './settings.ts'
import { createBots, telegramConfig } from './telegram/bot.ts'
import { createTelegramChannel } from './telegram/channel.ts'
import { createChatCommands } from './telegram/commands.ts'
import { createPolling, pollJob } from './telegram/polling.ts'
import { createWebhookChannel } from './webhook-channel.ts'

type PartsContext = Omit<Context<Needs, typeof notifySettings>, 'needs'> & {
  needs: { gates: Gates; posts: Posts | undefined; tasks: Tasks | undefined; store: SettingsStore }
}

/** Creates and connects the parts of the plugin. */
export function createParts({ needs, settings, db, enqueue, changes, installation, log }: PartsContext) {
  const channels = createChannels()
  const open = createBots()
  channels.add(createTelegramChannel(settings, open))
  channels.add(createWebhookChannel(settings))
  const telegram = () => telegramConfig(settings)
  const outbox = createOutbox({ enqueue, channels })
  const deliveries = createDeliveries({
    db,
    enqueue,
    channels,
    log,
    perMinute: () => settings.get('notify_messages_per_minute')
  })
  const commandOf = createChatCommands({
    db,
    gates: needs.gates,
    tasks: needs.tasks,
    posts: needs.posts,
    timeZone: () => needs.store.value('operator_timezone')
  })
  const polling = createPolling({ db, outbox, log, config: telegram, open, commandOf })
  const chatSettings = createChatSettings({ db, enqueue, changes, channels, deliveries, polling, telegram, log })
  return {
    channels,
    outbox,
    deliveries,
    chatSettings,
    telegram,
    open,
    testNotice: () => testNotice(installation.baseUrl()),
    jobs: [sendJob(deliveries), pollJob(polling, chatSettings.poll), watchJob(chatSettings)]
  }
}
