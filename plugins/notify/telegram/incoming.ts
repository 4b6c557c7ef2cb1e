import { ConflictError, type Db } from '#core'
import type { ChatCommands, PreparedCommand } from '../chat-commands.ts'
import { findShown, isButtonRecorded, type ShownContent } from '../repository/messages.ts'
import type { TelegramConfig, Update } from './bot.ts'
import { channelName } from './channel.ts'

/** A command somebody in the configured chat gave, by typing it or by a button. */
export interface Incoming {
  update_id: number
  /** Lower case, without its slash. */
  command: string
  /** The bot it names, as in `/help@some_bot`; null for none. */
  addressee: string | null
  /** What follows the command, trimmed. */
  rest: string
  /** `telegram:<user name, else id>`. */
  actor: string
  /** The message to answer. */
  message_id: string | null
  /** Of a pressed button: the query to answer, and the message it hangs on is `message_id`. */
  button: string | null
  /** The number of the message that it is a reply to, or whose button was pressed. */
  answers: number | null
  isPrivate: boolean
}

/** What an update holds: a command, something of no interest, or a message from another chat. */
export type UpdateContent =
  | { kind: 'command'; incoming: Incoming }
  | { kind: 'nothing' }
  | { kind: 'unauthorized'; chat: number | null }

interface Chat {
  id: number
  type?: string
  username?: string
}

const commandForm = /^\/([a-z0-9_]{1,32})(?:@(\w+))?(?:\s+([\s\S]*))?$/i

export function readUpdate(update: Update, { chat_id }: Pick<TelegramConfig, 'chat_id'>): UpdateContent {
  const { message, callback_query: query } = update
  const from = query?.from ?? message?.from
  const carrier = query?.message ?? message
  if (carrier === undefined && query === undefined) return { kind: 'nothing' }
  const chat: Chat | undefined = carrier?.chat
  if (chat === undefined || !isConfigured(chat, chat_id)) return { kind: 'unauthorized', chat: chat?.id ?? null }
  const text = (query === undefined ? message?.text : query.data) ?? ''
  const [matched, command = '', addressee = null, rest = ''] = commandForm.exec(text.trim()) ?? []
  if (matched === undefined) return { kind: 'nothing' }
  return {
    kind: 'command',
    incoming: {
      update_id: update.update_id,
      command: command.toLowerCase(),
      addressee,
      rest: rest.trim(),
      actor: `telegram:${from?.username ?? from?.id ?? chat.id}`,
      message_id: carrier?.message_id === undefined ? null : String(carrier.message_id),
      button: query?.id ?? null,
      answers: (query === undefined ? message?.reply_to_message : carrier)?.message_id ?? null,
      isPrivate: (chat.type ?? 'private') === 'private'
    }
  }
}

const isConfigured = ({ id, username }: Chat, chat_id: string): boolean =>
  String(id) === chat_id || (username !== undefined && `@${username}`.toLowerCase() === chat_id.toLowerCase())

/** Finds the command that an update gives, with what the chat was shown before. */
export const prepareFrom =
  (db: Db, commands: ChatCommands) =>
  ({ command: name, rest, actor, button, message_id, answers }: Incoming): PreparedCommand | undefined =>
    commands.prepare({
      name,
      rest,
      actor,
      async shownHash(gate_name, id) {
        const filter = { channel: channelName, gate_name, id_prefix: id.toLowerCase() }
        const shown = await findShown(db, filter, { before: message_id === null ? null : Number(message_id), answers })
        // What cannot change is the same before and after.
        if (shown?.content_hash === null) return null
        if (button !== null && !(await isButtonRecorded(db, filter, answers))) throw new ConflictError(unrecordedButton)
        if (shown === undefined) return null
        if (shown.unseen === null) return shown.content_hash
        throw new ConflictError(unseenReasons[shown.unseen])
      }
    })

const unrecordedButton = 'What the message of this button showed is not recorded here. Nothing was changed.'

const unseenReasons = {
  later: 'The chat was not shown this before the command was sent. Nothing was changed.',
  combined: 'The chat was told of this only in a combined message, which shows no content. Nothing was changed.'
} as const satisfies Record<NonNullable<ShownContent['unseen']>, string>
