import type { Outcome } from '../mail/outcome.ts'
import type { QueuedRecipient, Result } from '../repository/recipients.ts'

/** Greylisting lasts minutes, a full mailbox days: these are 16 hours. */
const retryAfterSeconds = [60, 300, 900, 3600, 3600, 7200, 14_400, 28_800]
/** Once more after an answer that was lost: then nobody sends it again by himself. */
const maxUnanswered = 2
const unansweredDelaySeconds = 60

/** What an outcome means for the row of its recipient. */
export function resultOfMail({ subscriber_id, attempts, unanswered }: QueuedRecipient, outcome: Outcome): Result {
  const { response } = outcome
  const same = { subscriber_id, response, is_soft: false, attempts, unanswered, delay_seconds: 0 }
  switch (outcome.kind) {
    case 'sent':
      return { ...same, state: 'sent', attempts: attempts + 1 }
    case 'down':
      return { ...same, state: 'queued' }
    case 'dropped':
    case 'deferred': {
      const delay_seconds = retryAfterSeconds[attempts]
      if (delay_seconds === undefined) return { ...same, state: 'refused', attempts: attempts + 1, is_soft: true }
      return { ...same, state: 'queued', attempts: attempts + 1, delay_seconds }
    }
    case 'refused': {
      const state = outcome.isAddress ? 'bounced' : 'refused'
      return { ...same, state, attempts: attempts + 1, is_soft: outcome.isSoft }
    }
    case 'unanswered': {
      const isLast = unanswered + 1 >= maxUnanswered
      const state = isLast ? 'unanswered' : 'queued'
      const delay_seconds = isLast ? 0 : unansweredDelaySeconds
      return { ...same, state, attempts: attempts + 1, unanswered: unanswered + 1, delay_seconds }
    }
  }
}
