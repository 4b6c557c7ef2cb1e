import { truncateText } from '#text/excerpts'
import type { Action, Notice, NoticeKind } from './index.ts'

/** A job that used up its retries, without a handler that reports it. */
interface DeadLetteredJob {
  id: string
  queue: string
  job_id: string
  attempts: number
  error: string
}

export function deadLetterNotice({ queue, job_id, attempts, error }: DeadLetteredJob): Notice {
  return {
    title: `A job used up its ${attempts} attempts: ${queue}`,
    lines: [truncateText(error, 500), `Correct the cause, then start it again: galley jobs retry ${job_id}`],
    actions: [],
    overview: { label: null, chat: null, hint: '', cli: 'galley jobs list' }
  }
}

const manyOf: Record<NoticeKind, string> = {
  held: 'things wait for a decision',
  failed: 'things failed',
  alert: 'alerts'
}
/** Items that a combined message names. */
const maxNamed = 10

/** One notice for many of one kind. It offers what lists them all. */
export function digestNotice(kind: NoticeKind, notices: readonly Pick<Notice, 'title' | 'overview'>[]): Notice {
  const rest = notices.length - maxNamed
  const lines = notices.slice(0, maxNamed).map(({ title }) => `• ${truncateText(title, 150)}`)
  return {
    title: `${notices.length} ${manyOf[kind]}`,
    lines: rest > 0 ? [...lines, `… and ${rest} more`] : lines,
    actions: distinct(notices.flatMap(({ overview }) => overview ?? []))
  }
}

const distinct = (actions: readonly Action[]): Action[] => [
  ...new Map(actions.map(action => [action.cli, action])).values()
]

export const testNotice = (home: string): Notice => ({
  title: 'Test message: operator notifications arrive here.',
  lines: [`Sent by galley at ${home}.`],
  actions: []
})
