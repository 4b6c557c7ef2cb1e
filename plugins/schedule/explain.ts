import type { SlotFacts } from '#plugins/posts'
import { formatInstant } from '#time'
import { publishGateName } from './settings.ts'

/** Whether a post goes out by itself, when, and why. */
export interface Explanation {
  goes_out: boolean
  /** Its slot, while it is to go out by itself; null otherwise. */
  goes_out_at: string | null
  reason: string
}

interface ExplainOptions {
  isGateOn: boolean
  timeZone: string
}

/** Reads a post's state the way the publisher does. */
export function explain(post: SlotFacts, { isGateOn, timeZone }: ExplainOptions): Explanation {
  const slot = post.published_at === null ? '' : formatInstant(post.published_at, timeZone)
  const stays = (why: string): Explanation => {
    const reason = post.needs_niche && !['published', 'archived'].includes(post.status) ? `${why} ${nicheMissing}` : why
    return { goes_out: false, goes_out_at: null, reason }
  }
  switch (post.status) {
    case 'draft':
      return stays(`It is a draft${rejectedBy(post)}: ${nextStep(post)}.`)
    case 'awaiting_approval':
      return stays(`It waits for approval${approvalLost(post)}: ${nextApproval(post, timeZone)}.`)
    case 'approved':
      return stays('It is approved but has no slot: give it one with "schedule at" or "schedule batch".')
    case 'archived':
      return stays('It is archived: "posts restore" makes it a draft again.')
    case 'published':
      return post.is_due
        ? stays(`It is public since ${slot}.`)
        : { goes_out: true, goes_out_at: post.published_at, reason: `It is published and becomes visible at ${slot}.` }
    case 'scheduled':
      return post.needs_niche
        ? stays(`Its slot is ${slot}, but the publisher passes it over.`)
        : explainScheduled(post, slot, isGateOn, stays)
  }
}

const nicheMissing =
  'It has no niche_slug, and niche_gated_publishing is on: give it one, or publish or schedule it with --force.'

function approvalLost({ last, edited }: SlotFacts): string {
  if (last?.action === 'reopen') return ` again, for ${last.reason}`
  return edited === null ? '' : `, again since ${edited.actor} changed ${edited.fields.join(', ')}`
}

/** What approves it: without a time it gets back the slot that an edit took. */
function nextApproval({ last }: SlotFacts, timeZone: string): string {
  const giveSlot = '"schedule at" or "schedule batch" approves it and gives it'
  if (last?.action !== 'reopen' || last.slot === null) return `${giveSlot} a slot`
  const lost = `it lost its slot ${formatInstant(last.slot, timeZone)}`
  return last.is_slot_ahead
    ? `${lost}; "gates approve" gives that back while it lies ahead, ${giveSlot} another`
    : `${lost}, which has passed: "gates approve" publishes it at once, ${giveSlot} another`
}

/** A drafted post is submitted by its task, one made by hand by its author. */
const nextStep = ({ task_id, last }: SlotFacts): string => {
  if (task_id === null) return '"posts publish" publishes it now, "posts submit" submits it for approval'
  return last?.action === 'unpublish'
    ? '"posts publish" publishes it again'
    : `"posts publish" publishes it anyway, and its task ${task_id.slice(0, 8)} says what becomes of it`
}

function rejectedBy({ last }: SlotFacts): string {
  if (last?.action === 'unpublish') return `, unpublished by ${last.actor}`
  if (last?.action !== 'reject') return ''
  return `, rejected by ${last.actor}${last.reason === null ? '' : ` (“${last.reason}”)`}`
}

function explainScheduled(
  post: SlotFacts,
  slot: string,
  isGateOn: boolean,
  stays: (reason: string) => Explanation
): Explanation {
  if (post.awaiting_gate !== null) {
    return stays(
      `Its slot ${slot} was reached and it waits at ${post.awaiting_gate}${approvalLost(post)}: "schedule approve" or "schedule reject".`
    )
  }
  if (post.approved_at === null)
    return stays(`It has the slot ${slot}, but nobody approved it: give it one again with --force.`)
  if (isGateOn) {
    const when = post.is_due ? `Its slot ${slot} was reached: the publisher` : `At its slot ${slot} the publisher`
    return stays(`${when} holds it at ${publishGateName}, which is on, until "schedule approve".`)
  }
  const reason = post.is_due
    ? `Its slot ${slot} was reached: it goes out at the publisher's next tick, within 60 seconds while serve or worker runs.`
    : `It is approved and goes out at its slot ${slot}; no gate holds it.`
  return { goes_out: true, goes_out_at: post.published_at, reason }
}
