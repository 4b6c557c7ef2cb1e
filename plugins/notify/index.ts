import { service, type Tx } from '#core'

/** What the operator can do about a notice. */
export interface Action {
  /** The text of the button; null for no button, when text has to follow. */
  label: string | null
  /** The chat command with its arguments, such as `/approve_topic 3f2a9c1b-…`. */
  chat: string
  /** What may follow the chat command, such as `[reason]`; empty for nothing. */
  hint: string
  /** The same command on the command line. */
  cli: string
  /** Buttons with the same row are side by side; default 0. */
  row?: number
  /** The text does not mention it. */
  isButtonOnly?: boolean
}

/** A message to the operator. It is plain, untrusted text: channels escape it. */
export interface Notice {
  title: string
  lines: readonly string[]
  /** An address of this service to read more; not escaped. */
  link?: string | null
  actions: readonly Action[]
}

/** The held item that a notice reports. */
export interface NoticeSubject {
  gate_name: string
  subject_id: string
  /** Hash of the reported content; null when it cannot change. */
  content_hash: string | null
}

/** A chat service. Register it in `setup`. */
export interface Channel {
  /** One word, such as `telegram`. */
  readonly name: string
  /** Where it sends to; null while it is not set up. It is only compared, because it may contain secrets. */
  target(): string | null
  /** Why it cannot be used, such as a token that belongs to another host; null or absent when it can. */
  fault?(): string | null
  /**
   * Sends one message. `reply_to`: the id of the message it answers.
   * @returns the service's id of the message, or null. @throws DeliveryError
   */
  send(notice: Notice, reply_to: string | null, signal: AbortSignal): Promise<{ message_id: string | null }>
  /**
   * Edits a sent message: removes its actions and shows the outcome. Absent when the service cannot edit. Idempotent.
   * @throws DeliveryError
   */
  showOutcome?(message_id: string, notice: Notice, outcome: string, signal: AbortSignal): Promise<void>
}

/** `refused`: no retry helps. `not_delivered`: a retry may. `unknown`: it may have arrived. */
export type FailedOutcome = 'refused' | 'not_delivered' | 'unknown'

/** A message was not delivered. The text is stored and shown, so it must not contain secrets. */
export class DeliveryError extends Error {
  readonly outcome: FailedOutcome
  /** How long the service asks to wait, in seconds. */
  readonly retryAfter: number | null
  /** True when every other message would fail too. */
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

/** Messages to the operator, through every channel that is set up. */
export interface Notify {
  registerChannel(channel: Channel): void
  /** Queues a message in the caller's transaction. Each `source` makes only one message for each channel. */
  send(tx: Tx, source: string, notice: Notice): Promise<void>
}
export const NotifyService = service<Notify>('notify')
