import { type Queryable, service, type Tx } from '#core'

/** What a mail provider reports of a mail, or of an address. */
export interface EmailReport {
  kind: 'delivered' | 'deferred' | 'bounced' | 'complained' | 'unsubscribed' | 'opened' | 'clicked'
  /** Of a bounce: the address will never work. */
  isPermanent: boolean
  email: string
  /** Of the mail, with or without angle brackets; absent where the provider does not say, or has an id of its own. */
  messageId?: string
}

/** The newsletter, as other plugins use it. */
export interface Newsletter {
  /**
   * Takes a report into the recipient's row and the subscriber's status, in the caller's transaction: who complains or has no
   * mailbox gets no more mail; who bounces for now three times in a row is paused. The same report twice changes nothing more.
   */
  recordEmailEvent(tx: Tx, event: EmailReport): Promise<void>
  /** How many get the newsletter. */
  countSubscribers(db: Queryable): Promise<number>
}
export const NewsletterService = service<Newsletter>('newsletter')
