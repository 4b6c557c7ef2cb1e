import type { Queryable } from '#core'
import { countStates } from '../repository/recipients.ts'
import type { SendRow } from '../repository/sends.ts'
import type { RecipientState } from '../states.ts'

/** A mail to all subscribers as operators read it. */
export interface SendView extends SendRow {
  /** How many recipients are in each state, counted from their rows. */
  recipients: Record<RecipientState, number> & { total: number }
}

export async function readViews(db: Queryable, sends: readonly SendRow[]): Promise<SendView[]> {
  const counts = await countStates(
    db,
    sends.map(({ send_id }) => send_id)
  )
  return sends.map(send => {
    const own = counts.filter(({ send_id }) => send_id === send.send_id)
    const inState = (state: RecipientState) => own.find(row => row.state === state)?.count ?? 0
    return {
      ...send,
      recipients: {
        queued: inState('queued'),
        sending: inState('sending'),
        sent: inState('sent'),
        unanswered: inState('unanswered'),
        refused: inState('refused'),
        bounced: inState('bounced'),
        complained: inState('complained'),
        suppressed: inState('suppressed'),
        total: own.reduce((sum, { count }) => sum + count, 0)
      }
    }
  })
}
