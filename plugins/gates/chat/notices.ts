import type { Action, Notice } from '#plugins/notify'
import { truncateText } from '#text/excerpts'
import { formatInstant } from '#time'
import type { GateDecision, GateWording, Held } from '../index.ts'

/** A held subject, and what its gate calls it. */
export interface Worded {
  subject: Pick<Held, 'gate_name' | 'subject_type' | 'subject_id'>
  wording: GateWording | undefined
}

/** Lists what waits at all gates. */
export const pendingAction: Action = { label: 'Show', chat: '/pending', hint: '', cli: 'galley gates pending' }

/** How what is held is approved and rejected, in the chat and on the command line. */
export function actionsFor({ subject, wording }: Worded): Action[] {
  const { gate_name, subject_id } = subject
  const suffix = wording === undefined ? ` ${gate_name}` : `_${wording.noun}`
  const requiredReason = wording?.requiredReason
  const generic = (verb: string) => `galley gates ${verb} ${subject_id} --gate ${gate_name}`
  const own = (verb: 'approve' | 'reject') => wording?.commandLine?.(verb, subject) ?? null
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

/** `link`: where its content can be read. `timeZone`: the operator's. */
export function heldNotice(
  held: Held,
  wording: GateWording | undefined,
  link: string | null,
  timeZone: string
): Notice {
  const { gate_name, title, reason, waits_again, slot } = held
  const note = reason === null ? [] : [`${waits_again ? 'It waits again' : 'Note'}: ${truncateText(reason, 300)}`]
  return {
    title: `${wording?.title ?? `Something waits at the gate ${gate_name}`}: ${truncateText(title, 300)}`,
    lines: slot === null ? note : [...note, `Slot: ${formatInstant(slot, timeZone)}`],
    link,
    actions: actionsFor({ subject: held, wording }),
    overview: pendingAction
  }
}

/** The outcome of a held item, for the message about it. */
export function outcomeOf({ decision, actor, reason }: Pick<GateDecision, 'decision' | 'actor' | 'reason'>): string {
  if (decision === 'cleared') return 'It no longer waits here.'
  const why = reason === null ? '.' : `: ${truncateText(reason, 300)}`
  return `${decision === 'rejected' ? 'Rejected' : 'Approved'} by ${actor}${why}`
}
