import { showTime } from '#core'
import type { GateDecision, Held } from '#plugins/gates'
import type { Action, Notice } from './index.ts'
import type { MessageKind } from './repository.ts'

/** What the gates of ours are called in a chat, and their commands on the command line. */
const gates: Readonly<Record<string, { noun: string; words: string; cli: string }>> = {
  topic_decision: { noun: 'topic', words: 'A topic waits for a decision', cli: 'topics' },
  awaiting_approval: { noun: 'draft', words: 'A draft waits for approval', cli: 'tasks' },
  final_publish_approval: { noun: 'post', words: 'A post waits at its slot for a last approval', cli: 'schedule' }
}

type What = Pick<Held, 'gate_name' | 'subject_type' | 'subject_id'>

export const gateOfNoun = (noun: string): string | undefined =>
  Object.keys(gates).find(gate_name => gates[gate_name]?.noun === noun)

export function nounOf(gate_name: string): string {
  const noun = gates[gate_name]?.noun
  // Of another plugin's gate, the name is what the commands take.
  if (noun === undefined) return gate_name
  return noun.charAt(0).toUpperCase() + noun.slice(1)
}

/** How what is held is approved and rejected, in the chat and on the command line. */
export function actionsFor({ gate_name, subject_type, subject_id }: What): Action[] {
  const known = gates[gate_name]
  const suffix = known === undefined ? ` ${gate_name}` : `_${known.noun}`
  const needsWords = gate_name === 'awaiting_approval'
  // Only a task's draft has commands of its own: a hand-made post is decided on through its gate.
  const own = known !== undefined && !(needsWords && subject_type !== 'task') ? `galley ${known.cli}` : null
  const command = (verb: string) =>
    own === null ? `galley gates ${verb} ${subject_id} --gate ${gate_name}` : `${own} ${verb} ${subject_id}`
  const words = needsWords ? ` ${own === null ? '--reason' : '--feedback'} "…"` : ''
  return [
    { label: 'Approve', chat: `/approve${suffix} ${subject_id}`, hint: '', cli: command('approve') },
    {
      label: needsWords ? null : 'Reject',
      chat: `/reject${suffix} ${subject_id}`,
      hint: needsWords ? '<what should change>' : '[reason]',
      cli: command('reject') + words
    }
  ]
}

/** `link`: where its content can be read. `timeZone`: the operator's. */
export function heldNotice(held: Held, link: string | null, timeZone: string): Notice {
  const words = gates[held.gate_name]?.words ?? `Something waits at the gate ${held.gate_name}`
  return {
    title: `${words}: ${cutLine(held.title, 300)}`,
    lines: [
      ...(held.reason === null
        ? []
        : [`${held.waits_again ? 'It waits again' : 'Note'}: ${cutLine(held.reason, 300)}`]),
      ...(held.slot === null ? [] : [`Slot: ${showTime(held.slot, timeZone)}`])
    ],
    link,
    actions: actionsFor(held)
  }
}

export function failureNotice({ task_id, topic, error }: { task_id: string; topic: string; error: string }): Notice {
  return {
    title: `A task failed: ${cutLine(topic, 300)}`,
    lines: [cutLine(error, 500), `Task ${task_id}`, 'Correct the cause, then retry.'],
    actions: retryActions(task_id)
  }
}

export function refusalNotice({ task_id, topic, reason }: { task_id: string; topic: string; reason: string }): Notice {
  return {
    title: `A draft failed its checks: ${cutLine(topic, 300)}`,
    lines: [
      cutLine(reason, 1000),
      `It is rejected; galley tasks get ${task_id} shows the draft and every check.`,
      'Correct the cause, then retry. galley memory store adds sources; the settings qa_rail_… control the checks.'
    ],
    actions: retryActions(task_id)
  }
}

const retryActions = (task_id: string): Action[] => [
  { label: 'Retry', chat: `/retry_task ${task_id}`, hint: '', cli: `galley tasks retry ${task_id}` },
  { label: null, chat: `/cancel_task ${task_id}`, hint: '[reason]', cli: `galley tasks cancel ${task_id}` }
]

export function skippedNotice({ post_id, title }: { post_id: string; title: string }): Notice {
  return {
    title: `A post was skipped at its slot: ${cutLine(title, 300)}`,
    lines: [
      'It has no niche_slug, and niche_gated_publishing is on. It goes out when it gets one, or by force:',
      `galley posts publish ${post_id} --force`
    ],
    actions: []
  }
}

/** A job that used up its retries, without a handler that reports it. */
export interface Parked {
  id: string
  queue: string
  job_id: string
  attempts: number
  error: string
}

export function parkedNotice({ queue, job_id, attempts, error }: Parked): Notice {
  return {
    title: `A job used up its ${attempts} attempts: ${queue}`,
    lines: [cutLine(error, 500), `Correct the cause, then start it again: galley jobs retry ${job_id}`],
    actions: []
  }
}

/** The outcome of a held item, for the message about it. */
export function outcomeOf({ decision, actor, reason }: Pick<GateDecision, 'decision' | 'actor' | 'reason'>): string {
  if (decision === 'cleared') return 'It no longer waits here.'
  const why = reason === null ? '.' : `: ${cutLine(reason, 300)}`
  return `${decision === 'rejected' ? 'Rejected' : 'Approved'} by ${actor}${why}`
}

const digests: Record<MessageKind, { words: string; actions: Action[] }> = {
  held: {
    words: 'things wait for a decision',
    actions: [{ label: 'Show', chat: '/pending', hint: '', cli: 'galley gates pending' }]
  },
  failed: {
    words: 'things failed: "galley jobs list" and "galley tasks list --status failed" (or rejected) show them',
    actions: []
  },
  alert: { words: 'alerts', actions: [] }
}
/** Items that a combined message names. */
const maxNamed = 10

/** One notice for many of one kind. */
export function digestNotice(kind: MessageKind, titles: readonly string[]): Notice {
  const { words, actions } = digests[kind]
  const rest = titles.length - maxNamed
  const lines = titles.slice(0, maxNamed).map(title => `• ${cutLine(title, 150)}`)
  return {
    title: `${titles.length} ${words}`,
    lines: rest > 0 ? [...lines, `… and ${rest} more`] : lines,
    actions
  }
}

export const testNotice = (home: string): Notice => ({
  title: 'Test message: operator notifications arrive here.',
  lines: [`Sent by galley at ${home}.`],
  actions: []
})

/** At most `length` UTF-16 units, without a split surrogate pair. */
export const cutLine = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`
