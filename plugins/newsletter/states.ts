import { ConflictError } from '#core'

/** The statuses of a subscriber; the database's check constraint lists the same. */
export const subscriberStatuses = ['pending', 'active', 'paused', 'unsubscribed', 'bounced', 'complained'] as const
export type SubscriberStatus = (typeof subscriberStatuses)[number]

/** Every legal move of a subscriber. From null: the row is made by it. */
export const subscriberTransitions = {
  // A sign-up; the confirmation is asked for.
  sign_up: { from: [null], to: 'pending' },
  // By the link in the mail, or an import of people who agreed elsewhere.
  confirm: { from: [null, 'pending', 'paused', 'unsubscribed', 'active'], to: 'active' },
  unsubscribe: { from: ['pending', 'active', 'paused', 'unsubscribed'], to: 'unsubscribed' },
  // Three mails in a row came back for now.
  pause: { from: ['active'], to: 'paused' },
  bounce: { from: ['pending', 'active', 'paused', 'unsubscribed'], to: 'bounced' },
  complain: { from: ['pending', 'active', 'paused', 'unsubscribed', 'bounced'], to: 'complained' },
  // An operator lifts the suppression; a sign-up and a confirmation follow.
  allow: { from: ['bounced', 'complained'], to: 'unsubscribed' }
} as const satisfies Record<string, { from: readonly (SubscriberStatus | null)[]; to: SubscriberStatus }>

/** The statuses of a mail to all subscribers. */
const sendStatuses = ['held', 'scheduled', 'sending', 'paused', 'finished', 'rejected', 'cancelled'] as const
export type SendStatus = (typeof sendStatuses)[number]

/** Every legal move of a mail to all subscribers. */
export const sendTransitions = {
  hold: { from: [null, 'paused'], to: 'held' },
  schedule: { from: [null, 'paused'], to: 'scheduled' },
  approve: { from: ['held'], to: 'scheduled' },
  reject: { from: ['held'], to: 'rejected' },
  // Its post was edited: the approval was of another text.
  reopen: { from: ['held', 'scheduled'], to: 'held' },
  // Every subscriber of that moment has a row.
  start: { from: ['scheduled'], to: 'sending' },
  finish: { from: ['sending'], to: 'finished' },
  // By an operator, by too many refusals, or because the database is a copy. From null: it may have been mailed before a restore.
  pause: { from: [null, 'held', 'scheduled', 'sending'], to: 'paused' },
  cancel: { from: ['held', 'scheduled', 'sending', 'paused'], to: 'cancelled' }
} as const satisfies Record<string, { from: readonly (SendStatus | null)[]; to: SendStatus }>
export type SendAction = keyof typeof sendTransitions

/** Of a mail that has not ended. */
export const openSendStatuses: readonly SendStatus[] = sendTransitions.cancel.from

/** Where `action` leads from `from`. @throws ConflictError when no such move is legal. */
export function sendStatusAfter(from: SendStatus | null, action: SendAction): SendStatus {
  const { from: allowed, to }: { from: readonly (SendStatus | null)[]; to: SendStatus } = sendTransitions[action]
  if (allowed.includes(from)) return to
  const statuses = allowed.filter(status => status !== null).join(' or ')
  const next = from === 'paused' ? ' "newsletter resume" goes on with it, or has it wait at its gate.' : ''
  throw new ConflictError(`A newsletter that is ${from} does not allow ${action}: it must be ${statuses}.${next}`)
}

/** The states of a recipient's row; the database's check constraint lists the same. */
const recipientStates = [
  'queued',
  'sending',
  'sent',
  'unanswered',
  'refused',
  'bounced',
  'complained',
  'suppressed'
] as const
export type RecipientState = (typeof recipientStates)[number]

/** What a provider reports of a mail. It may come before the answer of the mail server. */
export const reportTransitions = {
  bounce: { from: ['sending', 'sent', 'unanswered'], to: 'bounced' },
  complain: { from: ['sending', 'sent', 'unanswered', 'bounced'], to: 'complained' }
} as const satisfies Record<string, { from: readonly RecipientState[]; to: RecipientState }>

/** Why an address gets no mail, whoever asks. */
const suppressionReasons = ['erased', 'bounced', 'complained'] as const
export type SuppressionReason = (typeof suppressionReasons)[number]
