import { type Check, critical, type Db, degraded, type Finding, ok, skipped } from '#core'
import type { Channels } from './messages.ts'
import { countTroubled } from './repository.ts'
import { type Bot, type TelegramConfig, TelegramError } from './telegram/bot.ts'

interface Checked {
  db: Db
  channels: Channels
  /** Null while Telegram is not set up. */
  telegram(): TelegramConfig | null
  open(config: TelegramConfig): Promise<Bot>
}

/** What `galley doctor` asks of the messages to the operator. It sends none. */
export const notifyChecks = ({ db, channels, telegram, open }: Checked): Check[] => [
  { name: 'telegram bot', run: ({ signal }) => checkBot(telegram(), open, signal) },
  {
    name: 'operator chat',
    async run() {
      const names = channels.inUse().map(({ name }) => name)
      const why = channels.faults().join(' ')
      if (names.length === 0 && why !== '')
        return degraded(
          `No chat is in use, and the operator is told nothing: ${why}`,
          'Set it again with galley settings set.'
        )
      if (names.length === 0) return skipped('no chat is set up: the operator is told nothing')
      const troubled = await countTroubled(db)
      if (troubled.length === 0) return ok(`${names.join(', ')}: every message of the last day was taken`)
      const counts = troubled.map(
        ({ state, count, error }) => `${count} ${state}${error === null ? '' : ` (${error})`}`
      )
      return degraded(
        `Messages to the operator of the last day: ${counts.join('; ')}.`,
        'See galley notify list, correct the chat settings, and try galley notify test.'
      )
    }
  }
]

/** Telegram tells whose token it is, or that it is nobody's, before a message is lost by it. */
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
