import { type EventType, type Subscription, service, type Tx } from '#core'

export { DeliveryError, type FailedOutcome } from './delivery-error.ts'

/** What the operator can do about a notice. */
export interface Action {
  /** The text of the button; null for no button, when text has to follow. */
  label: string | null
  /** The chat command with its arguments, such as `/approve_topic 3f2a9c1b-…`; null when only the command line has one. */
  chat: string | null
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
  /** Lists everything of the kind. A message that combines many notices offers it instead of their own actions. */
  overview?: Action
}

/** The held item that a notice reports. */
export interface NoticeSubject {
  gate_name: string
  subject_id: string
  /** Hash of the reported content; null when it cannot change. */
  content_hash: string | null
}

/** What a notice is about: something that waits for a decision, something that failed, or an alert. */
export type NoticeKind = 'held' | 'failed' | 'alert'

/** A notice to queue. Each `source` makes only one message for each channel. */
export interface QueuedNotice {
  /** Such as `event:<id of the event>`. */
  source: string
  notice: Notice
  /** Notices of one kind may be combined when there are many; absent or null: never combined. */
  kind?: NoticeKind | null
  /** The source of an earlier message that this one goes on from: a channel with threads sends it as an answer to that. */
  thread?: string | null
  subject?: NoticeSubject | null
}

/** Something that no longer waits at a gate, and its outcome. */
export interface SubjectOutcome {
  gate_name: string
  subject_id: string
  /** A sentence. */
  outcome: string
  /** Only messages before the one of this source; null: all messages. */
  before: string | null
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

/** A chat command that the operator gave. */
export interface ChatRequest {
  /** The words that the command requires. */
  args: readonly string[]
  /** What follows them, at most 2,000 characters, more are refused; empty for nothing. */
  text: string
  /** Who gave it, such as `telegram:ada`. */
  actor: string
  /**
   * Hash of the content that this chat was shown of a held item: by the message whose button was pressed, or that the command
   * answers, otherwise by the newest one before the command. `id` may be a prefix. Null when the chat was shown none.
   * @throws ConflictError when the chat was not shown the item before the command was sent, or only in a combined message, or when
   * nothing is recorded of the message with the pressed button: the caller adds where the content can be seen
   */
  shownHash(gate_name: string, id: string): Promise<string | null>
}

/** What a chat command does. */
export interface ChatCommand {
  /** Its arguments, such as `<id> [reason]`. Words in `<…>` at the beginning are required. */
  readonly usage: string
  /** True for one that decides: it is never carried out twice. */
  readonly isDecision: boolean
  /** @returns the answer. @throws AppError whose message is the answer */
  run(request: ChatRequest): Promise<Notice>
}

/** Chat commands that `/help` shows in one line. */
export interface ChatCommandGroup {
  /** What they are about, for `/help`: `a proposed topic`. */
  readonly describe: string
  /** By name, without the slash: lower-case letters, digits and underscores, at most 32. */
  readonly commands: Readonly<Record<string, ChatCommand>>
}

/** Messages to the operator, through every channel that is set up. */
export interface Notify {
  /** Adds a chat service. @throws TypeError when there is one of that name */
  registerChannel(channel: Channel): void
  /** Adds chat commands. @throws TypeError when there is one of that name */
  registerCommands(group: ChatCommandGroup): void
  /** A subscription that makes a message of each event, for what `setup` answers. A redelivered event makes no second one. */
  report<Payload>(type: EventType<Payload>, kind: NoticeKind, noticeOf: (payload: Payload) => Notice): Subscription
  /** Queues a message in the caller's transaction. It is never combined with others. */
  send(tx: Tx, source: string, notice: Notice): Promise<void>
  /** Queues messages in the caller's transaction. */
  queue(tx: Tx, notices: readonly QueuedNotice[]): Promise<void>
  /** Drops waiting messages about these items, and has sent ones show the outcome. */
  recordOutcomes(tx: Tx, outcomes: readonly SubjectOutcome[]): Promise<void>
}
export const NotifyService = service<Notify>('notify')
