import { type Check, critical, type Db, degraded, type Finding, ok, skipped } from '#core'
import type { Channels } from './outbox.ts'
import { countUndelivered } from './repository/lists.ts'
import { type Bot, type TelegramConfig, TelegramError } from './telegram/bot.ts'

interface Checked {
  db: Db
  channels: Channels
  /** Null while Telegram is not set up. */
  telegram(): TelegramConfig | null
  open(config: TelegramConfig): Promise<Bot>
}

/** The checks of `galley doctor`. They send no message. */
export const notifyChecks = ({ db, channels, telegram, open }: Checked): Check[] => [
  { name: 'telegram bot', run: ({ signal }) => checkBot(telegram(), open, signal) },
  {
    name: 'operator chat',
    async run() {
      const names = channels.inUse().map(({ name }) => name)
      const why = channels.faults().join(' ')
      if (names.length === 0 && why !== '')
        return degraded(
          `No chat is in use, and the operator gets no messages: ${why}`,
          'Set it again with galley settings set.'
        )
      if (names.length === 0) return skipped('no chat is set up: the operator gets no messages')
      // A chat that was given up takes no message any more. One with a fault in its settings was not.
      const undelivered = await countUndelivered(db, why === '' ? names : null)
      if (undelivered.length === 0) return ok(`${names.join(', ')}: every message of the last day was delivered`)
      const present = undelivered.filter(({ is_past }) => !is_past)
      if (present.length === 0)
        return ok(
          `${names.join(', ')}: messages arrive again; of the last day: ${countsOf(undelivered)}, see galley notify list`
        )
      return degraded(
        `Messages to the operator of the last day: ${countsOf(present)}.`,
        'See galley notify list, correct the chat settings, and try galley notify test.'
      )
    }
  }
]

const countsOf = (messages: Awaited<ReturnType<typeof countUndelivered>>): string =>
  messages.map(({ state, count, error }) => `${count} ${state}${error === null ? '' : ` (${error})`}`).join('; ')

/** Checks the token before a message is lost. */
async function checkBot(config: TelegramConfig | null, open: Checked['open'], signal: AbortSignal): Promise<Finding> {
  if (config === null) return skipped('Telegram is not set up')
  try {
    const bot = await open(config)
    return ok(`telegram_bot_token is that of @${await bot.username(signal)}`)
  } catch (error) {
    if (!(error instanceof TelegramError)) throw error
    const isRefused = error.code === 401 || error.code === 404
    return isRefused
      ? critical(
          `Telegram refuses telegram_bot_token (${error.message})`,
          'Set it to the token that @BotFather gives: galley settings set telegram_bot_token -'
        )
      : degraded(`The Telegram bot cannot be asked (${error.message})`, 'Check telegram_api_root and the network.')
  }
}
