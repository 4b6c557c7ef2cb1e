import type { Action, Notice } from '#plugins/notify'
import { truncateText } from '#text/excerpts'
import { slotText } from '../held-slot.ts'
import type { GateDecision, GateLabels, Held } from '../index.ts'

/** A held subject, and what its gate calls it. */
interface LabelledSubject {
  subject: Pick<Held, 'gate_name' | 'subject_type' | 'subject_id'>
  labels: GateLabels | undefined
}

/** Lists what waits at all gates. */
export const pendingAction: Action = { label: 'Show', chat: '/pending', hint: '', cli: 'galley gates pending' }

/** How what is held is approved and rejected, in the chat and on the command line. */
export function actionsFor({ subject, labels }: LabelledSubject): Action[] {
  const { gate_name, subject_id } = subject
  const suffix = labels === undefined ? ` ${gate_name}` : `_${labels.noun}`
  const requiredReason = labels?.requiredReason
  const generic = (verb: string) => `galley gates ${verb} ${subject_id} --gate ${gate_name}`
  const own = (verb: 'approve' | 'reject') => labels?.commandLine?.(verb, subject) ?? null
  return [
    {
      label: 'Approve',
      chat: `/approve${suffix} ${subject_id}`,
      hint: '',
      cli: own('approve') ?? generic('approve')
    },
    {
      // A button cannot carry the reason.
      label: requiredReason === undefined ? 'Reject' : null,
      chat: `/reject${suffix} ${subject_id}`,
      hint: requiredReason === undefined ? '[reason]' : `<${requiredReason}>`,
      cli: own('reject') ?? `${generic('reject')}${requiredReason === undefined ? '' : ' --reason "…"'}`
    }
  ]
}

/** What a message about a held subject shows beside it. `timeZone`: the operator's. */
interface NoticeContext {
  labels: GateLabels | undefined
  /** Where its content can be read. */
  link: string | null
  timeZone: string
  now: Date
}

export function heldNotice(held: Held, { labels, link, timeZone, now }: NoticeContext): Notice {
  const { gate_name, title, reason, waits_again } = held
  const slot = slotText(held, timeZone, now)
  const note = reason === null ? [] : [`${waits_again ? 'It waits again' : 'Note'}: ${truncateText(reason, 300)}`]
  return {
    title: `${labels?.title ?? `Something waits at the gate ${gate_name}`}: ${truncateText(title, 300)}`,
    lines: [...note, ...(slot === null ? [] : [`Slot: ${slot}`])],
    link,
    actions: actionsFor({ subject: held, labels }),
    overview: pendingAction
  }
}

/** The outcome of a held item, for the message about it. */
export function outcomeOf({ decision, actor, reason }: Pick<GateDecision, 'decision' | 'actor' | 'reason'>): string {
  if (decision === 'cleared') return 'It no longer waits here.'
  const why = reason === null ? '.' : `: ${truncateText(reason, 300)}`
  return `${decision === 'rejected' ? 'Rejected' : 'Approved'} by ${actor}${why}`
}
