import { service, type Tx } from '#core'

/** Something the operator may do about a notice. */
export interface Action {
  /** What a button says; null for none, when words must follow. */
  label: string | null
  /** The chat command with its arguments, such as `/approve_topic 3f2a9c1b-…`. */
  chat: string
  /** What may follow the chat command, such as `[reason]`; empty for nothing. */
  hint: string
  /** The same on the command line. */
  cli: string
  /** Buttons of one row stand side by side; default 0. */
  row?: number
  /** The text does not name it: it already says so, or only a button needs it. */
  isButtonOnly?: boolean
}

/** A message to the operator. All of it is plain text, from anywhere: channels escape it. */
export interface Notice {
  title: string
  lines: readonly string[]
  /** Where to read what it is about; of this service, so not escaped. */
  link?: string | null
  actions: readonly Action[]
}

/** What waits at a gate, when a notice tells of it. */
export interface NoticeSubject {
  gate_name: string
  subject_id: string
  /** Of the content the operator is told about; null where it cannot change. */
  content_hash: string | null
}

/** A chat service that takes messages. Register it in `setup`. */
export interface Channel {
  /** One word, such as `telegram`. */
  readonly name: string
  /** Where it sends now, null while it is not set up. Compared, never shown: it may hold secrets. */
  target(): string | null
  /** Why what is set up is not used, such as a token that belongs to another host; null or absent where nothing is wrong. */
  fault?(): string | null
  /**
   * Sends one message. `reply_to`: the id of the message it answers.
   * @returns the service's own id of it, null when it gives none. @throws DeliveryError
   */
  send(notice: Notice, reply_to: string | null, signal: AbortSignal): Promise<{ message_id: string | null }>
  /**
   * Takes from a message it sent what can be done about it, and says what became of it; absent where a message cannot be
   * changed. May be called again with the same. @throws DeliveryError
   */
  settle?(message_id: string, notice: Notice, outcome: string, signal: AbortSignal): Promise<void>
}

/** `refused`: trying again is of no use. `not_delivered`: it is. `unknown`: it may have arrived. */
export type FailedOutcome = 'refused' | 'not_delivered' | 'unknown'

/** A message was not taken. The text is kept and shown: it holds no secret. */
export class DeliveryError extends Error {
  readonly outcome: FailedOutcome
  /** How long the service asks to wait, in seconds. */
  readonly retryAfter: number | null
  /** True when every other message would fare the same. */
  readonly isChannelDown: boolean

  constructor(
    outcome: FailedOutcome,
    message: string,
    { retryAfter = null, isChannelDown = false }: { retryAfter?: number | null; isChannelDown?: boolean } = {}
  ) {
    super(message)
    this.name = 'DeliveryError'
    this.outcome = outcome
    this.retryAfter = retryAfter
    this.isChannelDown = isChannelDown
  }
}

/** Messages to the operator, over every channel that is set up. */
export interface Notify {
  registerChannel(channel: Channel): void
  /** Queues a message in the caller's transaction. `source` names what it tells of: one message a channel is made of it. */
  tell(tx: Tx, source: string, notice: Notice): Promise<void>
}
export const NotifyService = service<Notify>('notify')
