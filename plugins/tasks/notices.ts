import type { Subscription } from '#core'
import type { Action, ChatCommand, ChatCommandGroup, Notice, Notify } from '#plugins/notify'
import { truncateText } from '#text/excerpts'
import { DraftFailedQa, TaskFailed } from './index.ts'
import type { TaskOperations } from './tasks.ts'

type TaskDecisions = Pick<TaskOperations, 'retry' | 'cancel'>

/** Notifies the operator of tasks that ended without a draft to decide on, and adds chat commands for them. */
export function taskMessages(notify: Notify | undefined, tasks: TaskDecisions, hasMemory: boolean): Subscription[] {
  if (notify === undefined) return []
  for (const group of chatCommands(tasks)) notify.registerCommands(group)
  return [
    notify.report(TaskFailed, 'failed', failureNotice),
    notify.report(DraftFailedQa, 'failed', qaFailureNotice(hasMemory))
  ]
}

function failureNotice({ task_id, topic, error }: { task_id: string; topic: string; error: string }): Notice {
  return {
    title: `A task failed: ${truncateText(topic, 300)}`,
    lines: [truncateText(error, 500), `Task ${task_id}`, 'Correct the cause, then retry.'],
    actions: retryActions(task_id),
    overview: listAction('failed')
  }
}

const qaFailureNotice = (hasMemory: boolean) => (failure: { task_id: string; topic: string; reason: string }) => {
  const { task_id, topic, reason } = failure
  const sources = hasMemory
    ? 'galley memory store adds sources'
    : 'Sources need the plugin memory in plugins.config.json'
  return {
    title: `A draft failed its checks: ${truncateText(topic, 300)}`,
    lines: [
      truncateText(reason, 1000),
      `It is rejected; galley tasks get ${task_id} shows the draft and every check.`,
      `Correct the cause, then retry. ${sources}; the settings qa_rail_… control the checks.`
    ],
    actions: retryActions(task_id),
    overview: listAction('rejected')
  }
}

const retryActions = (task_id: string): Action[] => [
  { label: 'Retry', chat: `/retry_task ${task_id}`, hint: '', cli: `galley tasks retry ${task_id}` },
  { label: null, chat: `/cancel_task ${task_id}`, hint: '[reason]', cli: `galley tasks cancel ${task_id}` }
]

const listAction = (status: 'failed' | 'rejected'): Action => ({
  label: null,
  chat: null,
  hint: '',
  cli: `galley tasks list --status ${status}`
})

/** Chat commands for what no gate decides. */
const chatCommands = (tasks: TaskDecisions): ChatCommandGroup[] => [
  {
    describe: 'a task that failed or was rejected',
    commands: { retry_task: taskCommand('Retried', tasks.retry) }
  },
  { describe: 'one that is not published', commands: { cancel_task: taskCommand('Cancelled', tasks.cancel) } }
]

const taskCommand = (done: string, decide: TaskOperations['retry']): ChatCommand => ({
  usage: '<id> [reason]',
  isDecision: true,
  async run({ args: [id = ''], text, actor }) {
    const { title, topic, status } = await decide(id, { actor, reason: text || null })
    return { title: `${done}: “${truncateText(title ?? topic, 200)}” is now ${status}.`, lines: [], actions: [] }
  }
})
