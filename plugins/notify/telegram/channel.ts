import type { Settings } from '#core'
import { truncateText } from '#text/excerpts'
import { type Action, type Channel, DeliveryError, type Notice } from '../index.ts'
import type { notifySettings } from '../settings.ts'
import { type Bot, type Button, type TelegramConfig, TelegramError, telegramConfig } from './bot.ts'

export const channelName = 'telegram'
/** Telegram's limits. */
const maxTextLength = 4096
const maxButtonBytes = 64

/** Sends messages through the bot, as plain text without markup. */
export function createTelegramChannel(
  settings: Settings<typeof notifySettings>,
  open: (config: TelegramConfig) => Promise<Bot>
): Channel {
  const ask = async <T>(request: (bot: Bot) => Promise<T>): Promise<T> => {
    const config = telegramConfig(settings)
    if (config === null) throw new DeliveryError('not_delivered', 'Telegram is not set up.', { isChannelDown: true })
    const bot = await open(config)
    return request(bot).catch(error => {
      throw error instanceof TelegramError ? error.delivery : error
    })
  }
  return {
    name: channelName,
    fault: () => settings.secretFor('telegram_bot_token', settings.get('telegram_api_root')).fault,
    target() {
      const config = telegramConfig(settings)
      return config === null ? null : JSON.stringify(config)
    },
    send: (notice, reply_to, signal) =>
      ask(async bot => {
        const message_id = await bot.send(textOf(notice), buttonsOf(notice.actions), reply_to, signal)
        return { message_id: message_id === '' ? null : message_id }
      }),
    showOutcome: (message_id, { title, lines }, outcome, signal) =>
      ask(bot => bot.edit(message_id, textOf({ title, lines: [...lines, outcome], actions: [] }), signal))
  }
}

export function textOf({ title, lines, link, actions }: Notice): string {
  const named = actions.filter(({ isButtonOnly }) => !isButtonOnly)
  const commands = named.map(({ chat, hint, cli }) => `${chat ?? cli} ${hint}`.trim())
  // The commands matter most: a long text is cut instead.
  const tail = [link == null ? '' : `\n${link}`, commands.length === 0 ? '' : `\n\n${commands.join('\n')}`].join('')
  const text = [title, ...lines].join('\n')
  const room = maxTextLength - tail.length
  return truncateText(text, room) + tail
}

/** A button sends its command. */
function buttonsOf(actions: readonly Action[]): Button[][] {
  const rows = new Map<number, Button[]>()
  for (const { label, chat, row = 0 } of actions) {
    if (label === null || chat === null || Buffer.byteLength(chat) > maxButtonBytes) continue
    rows.set(row, [...(rows.get(row) ?? []), { text: label, callback_data: chat }])
  }
  return [...rows.values()]
}
