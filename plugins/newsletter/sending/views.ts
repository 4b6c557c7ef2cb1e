import type { Queryable } from '#core'
import { countStates } from '../repository/recipients.ts'
import type { SendRow } from '../repository/sends.ts'
import { type RecipientState, recipientStates } from '../states.ts'

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
    const states = recipientStates.map(state => [state, inState(state)] as const)
    const total = own.reduce((sum, { count }) => sum + count, 0)
    return { ...send, recipients: { ...fromStates(states), total } }
  })
}

const fromStates = (states: readonly (readonly [RecipientState, number])[]): Record<RecipientState, number> => {
  const counts = { queued: 0, sending: 0, sent: 0, unanswered: 0, refused: 0, bounced: 0, complained: 0, suppressed: 0 }
  for (const [state, count] of states) counts[state] = count
  return counts
}
