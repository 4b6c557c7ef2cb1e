import { setTimeout as wait } from 'node:timers/promises'
import { hasWorker } from '#cli'
import type { Db, Terminal } from '#core'
import { listTaskEvents, type PipelineEvent } from '../repository/events.ts'
import type { TaskStatus } from '../states.ts'
import type { TaskView } from '../view.ts'

const pollMs = 400
/** In these the pipeline has more to do. */
const underWay: readonly TaskStatus[] = ['pending', 'in_progress', 'rejected_retry']
/** In these a draft is there, or was held on its way. */
const good: readonly TaskStatus[] = ['awaiting_approval', 'awaiting_gate', 'approved', 'published']

export const isTaskUnfinished = ({ status }: Pick<TaskView, 'status'>): boolean => underWay.includes(status)

/** 0 when the pipeline has brought the task to a draft, else 1. */
export const waitedExit = ({ status }: Pick<TaskView, 'status'>): number => (good.includes(status) ? 0 : 1)

/** The task once the pipeline is done with it; shows its stages as they happen. Returns at once where no worker runs. */
export async function waitForTask(
  { db, get }: { db: Db; get: (task_id: string) => Promise<TaskView> },
  task_id: string,
  terminal: Terminal
): Promise<TaskView> {
  for (let last = 0; ; ) {
    // The task is read first: the events read after it then include all that led to its status.
    const task = await get(task_id)
    const events = await listTaskEvents(db, task_id, { limit: 100, offset: 0, after: [String(last)] })
    for (const event of events) terminal.note(eventLine(event, terminal))
    last = events.at(-1)?.id ?? last
    if (!isTaskUnfinished(task)) return task
    if (!(await hasWorker(db))) {
      terminal.note('warning: no worker runs: "galley serve" or "galley worker" runs the task when it is started')
      return task
    }
    await wait(pollMs, undefined, { signal: terminal.signal })
  }
}

function eventLine({ at, type, from, to, detail }: PipelineEvent, { timeZone }: Terminal): string {
  const time = new Date(at).toLocaleTimeString('en-GB', { timeZone })
  const moved = from === to || to === null ? [] : [`${from ?? 'new'} → ${to}`]
  const score = typeof detail.score === 'number' ? [`score ${detail.score}`] : []
  return [time, type, ...moved, ...score].join('  ')
}

/** What became of the task, in one sentence, and where it can be looked at. */
export function outcomeText({ task_id, status, title, topic, qa, ...task }: TaskView): string {
  const score = qa?.score === undefined || qa.score === null ? '' : ` with a score of ${qa.score}`
  const failed = qa?.rails.filter(rail => rail.required && !rail.passed).map(({ name, note }) => `${name}: ${note}`)
  const why = task.reason ?? task.error ?? failed?.join('; ') ?? ''
  const name = `Task ${task_id} (${title ?? topic})`
  if (status === 'awaiting_approval') return `${name} waits for approval${score}. Preview: ${task.preview_url}`
  if (status === 'published') return `${name} is published${score}: ${task.published_url}`
  return `${name} is ${status}${waitedExit({ status }) === 0 || why === '' ? '.' : `: ${why}`}`
}
