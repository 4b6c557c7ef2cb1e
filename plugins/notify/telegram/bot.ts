import type { Api, GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import { isObject, type Settings } from '#core'
import { DeliveryError } from '../index.ts'
import { networkError } from '../network-error.ts'
import type { notifySettings } from '../settings.ts'

export type { Update } from 'grammy/types'

/** How long Telegram waits for an update before it answers. */
const pollSeconds = 25
const pollTimeoutSeconds = pollSeconds + 10
const sendTimeoutSeconds = 15

/** Which bot, and the chat it belongs to. */
export interface TelegramConfig {
  token: string
  chat_id: string
  api_root: string
}

export interface Button {
  text: string
  callback_data: string
}

/** The used part of Telegram's Bot API. Every method throws a TelegramError. */
export interface Bot {
  /** Updates from `offset` on; waits for the first when there is none. */
  updates(offset: number, signal: AbortSignal): Promise<Update[]>
  send(
    text: string,
    buttons: readonly (readonly Button[])[],
    reply_to: string | null,
    signal: AbortSignal
  ): Promise<string>
  /** Replaces a message's text and removes its buttons. */
  edit(message_id: string, text: string, signal: AbortSignal): Promise<void>
  /** Ends the waiting state of a pressed button with a text. */
  answerButton(callback_query_id: string, text: string): Promise<void>
  username(signal?: AbortSignal): Promise<string>
}

/** A request failed. `code` is Telegram's, null when there was no answer; the text holds no token. */
export class TelegramError extends Error {
  readonly code: number | null
  /** How long Telegram asks to wait. */
  readonly retryAfterSeconds: number | null
  /** What the request's failure means for a message. */
  readonly delivery: DeliveryError

  constructor(
    message: string,
    { code, retryAfterSeconds, delivery }: Pick<TelegramError, 'code' | 'retryAfterSeconds' | 'delivery'>
  ) {
    super(message)
    this.name = 'TelegramError'
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
    this.delivery = delivery
  }
}

/** The current configuration; null while Telegram is not set up. */
export function telegramConfig(settings: Settings<typeof notifySettings>): TelegramConfig | null {
  const api_root = settings.get('telegram_api_root')
  const { value: token } = settings.secretFor('telegram_bot_token', api_root)
  const chat_id = settings.get('telegram_chat_id')
  if (token === '' || chat_id === '') return null
  return { token, chat_id, api_root: api_root.replace(/\/+$/, '') }
}

export const isSameConfig = (one: TelegramConfig | null, other: TelegramConfig | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** Opens bots. One is reused while its configuration stays. The first loads the library. */
export function createBots(): (config: TelegramConfig) => Promise<Bot> {
  let last: { config: TelegramConfig; bot: Promise<Bot> } | undefined
  return config => {
    if (last !== undefined && isSameConfig(last.config, config)) return last.bot
    const bot = openBot(config)
    last = { config, bot }
    bot.catch(() => {
      if (last?.bot === bot) last = undefined
    })
    return bot
  }
}

/** The address contains the token, so no redirect is followed. A hundred updates have a tenth of this size. */
const baseFetchConfig = { redirect: 'error', size: 8_000_000 } as const

async function openBot({ token, chat_id, api_root }: TelegramConfig): Promise<Bot> {
  const { Api } = await import('grammy')
  const client = (timeoutSeconds: number): Api => new Api(token, { apiRoot: api_root, timeoutSeconds, baseFetchConfig })
  const polling = client(pollTimeoutSeconds)
  const sending = client(sendTimeoutSeconds)
  return {
    async updates(offset, signal) {
      const options = { offset, timeout: pollSeconds, allowed_updates: ['message', 'callback_query'] as const }
      const updates: unknown = await wrapErrors(polling.getUpdates(options, toLibrary(signal)))
      return Array.isArray(updates) ? updates.filter(isUpdate) : []
    },
    async send(text, buttons, reply_to, signal) {
      const options = {
        link_preview_options: { is_disabled: true },
        ...(buttons.length > 0 && { reply_markup: { inline_keyboard: buttons.map(row => [...row]) } }),
        // The answer is sent even if the message was deleted.
        ...(reply_to !== null && {
          reply_parameters: { message_id: Number(reply_to), allow_sending_without_reply: true }
        })
      }
      const message: unknown = await wrapErrors(sending.sendMessage(chat_id, text, options, toLibrary(signal)))
      return isObject(message) ? String(message.message_id ?? '') : ''
    },
    async edit(message_id, text, signal) {
      const options = { link_preview_options: { is_disabled: true } }
      await wrapErrors(sending.editMessageText(chat_id, Number(message_id), text, options, toLibrary(signal)))
    },
    answerButton: async (id, text) =>
      void (await wrapErrors(sending.answerCallbackQuery(id, { text: text.slice(0, 200) }))),
    username: async signal => (await wrapErrors(sending.getMe(signal && toLibrary(signal)))).username
  }
}

const isUpdate = (value: unknown): value is Update => isObject(value) && Number.isSafeInteger(value.update_id)

/** The library declares a polyfill's type. Node's signal is compatible at run time. */
const toLibrary = (signal: AbortSignal) => signal as never

async function wrapErrors<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw toTelegramError(error)
  }
}

/** The library loads with the first bot: its errors are known by their name. */
const isRefusal = (thrown: unknown): thrown is GrammyError => thrown instanceof Error && thrown.name === 'GrammyError'

function toTelegramError(thrown: unknown): TelegramError {
  if (!isRefusal(thrown)) {
    const cause = (isObject(thrown) ? thrown.error : undefined) ?? thrown
    const delivery = otherServerError(cause) ?? networkError(cause)
    return new TelegramError(delivery.message, { code: null, retryAfterSeconds: null, delivery })
  }
  const { error_code = 0, description = '', parameters } = thrown
  const retryAfterSeconds = parameters?.retry_after ?? null
  const known = findKnown(description)
  const shown = known === undefined ? '' : `: ${known.words}`
  const message = `Telegram answered ${error_code}${shown}${adviceFor(error_code, parameters)}`
  return new TelegramError(message, {
    code: error_code,
    retryAfterSeconds,
    delivery: refusal(error_code, known?.isAboutChat === true, message, retryAfterSeconds)
  })
}

/** A description that Telegram documents. `isAboutChat`: a setting is wrong, so that every other message would fail too. */
interface KnownDescription {
  words: string
  isAboutChat?: boolean
}

/** Other texts may come from another host, and clients must not see them. */
const knownDescriptions: readonly KnownDescription[] = [
  { words: 'Unauthorized' },
  { words: 'Not Found' },
  { words: 'chat not found', isAboutChat: true },
  { words: 'bot was blocked by the user' },
  { words: 'bot was kicked' },
  { words: 'bot is not a member' },
  { words: 'user is deactivated' },
  { words: 'group chat was deactivated', isAboutChat: true },
  { words: 'group chat was upgraded to a supergroup chat', isAboutChat: true },
  { words: 'not enough rights', isAboutChat: true },
  { words: 'message is too long' },
  { words: 'message text is empty' },
  { words: 'message to edit not found' },
  { words: 'message is not modified' },
  { words: "can't parse entities" },
  { words: 'Too Many Requests' },
  { words: 'terminated by other getUpdates request' }
]

const findKnown = (description: string): KnownDescription | undefined =>
  knownDescriptions.find(({ words }) => description.includes(words))

/** An answer that is none of Telegram's, by the kind of the fetch library's error; undefined for what is no answer. */
function otherServerError(cause: unknown): DeliveryError | undefined {
  const { type } = Object(cause)
  if (type === 'no-redirect')
    return new DeliveryError(
      'not_delivered',
      'The server of telegram_api_root redirects, which is not followed: set telegram_api_root to where the Bot API is.',
      { isChannelDown: true }
    )
  if (type !== 'invalid-json') return undefined
  // It may be a proxy's, for a message that Telegram took.
  return new DeliveryError(
    'unknown',
    'The server of telegram_api_root does not answer as the Bot API does: check telegram_api_root. The message may have arrived.',
    { isChannelDown: true }
  )
}

function adviceFor(code: number, parameters: GrammyError['parameters']): string {
  if (parameters?.migrate_to_chat_id !== undefined)
    return `. The chat is a supergroup now: set telegram_chat_id to ${parameters.migrate_to_chat_id}.`
  if (code === 401 || code === 404) return '. Check telegram_bot_token and telegram_api_root.'
  if (code === 400 || code === 403) return '. Check telegram_chat_id, and that the bot is in that chat.'
  if (code === 409) return '. Another program polls with this token, or a webhook is set for it: stop or delete that.'
  if (code !== 429) return ''
  const wait = parameters?.retry_after === undefined ? '' : `It asks to wait ${parameters.retry_after} s. `
  return `. ${wait}notify_messages_per_minute bounds what is sent.`
}

function refusal(code: number, isAboutChat: boolean, message: string, retryAfterSeconds: number | null): DeliveryError {
  if (code === 429) return new DeliveryError('not_delivered', message, { retryAfterSeconds, isChannelDown: true })
  // A wrong token or chat can be corrected; until then every message fails.
  const isAboutSettings = [401, 403, 404].includes(code) || isAboutChat
  if (code < 500 && isAboutSettings) return new DeliveryError('not_delivered', message, { isChannelDown: true })
  return new DeliveryError(code >= 500 ? 'not_delivered' : 'refused', message)
}
