import { fieldLines, pageTable, table } from '#cli'
import { command, type Db, type Terminal } from '#core'
import type { Costs, TaskCost } from '#plugins/costs'
import { pluralized } from '#text/plural'
import { formatInstant } from '#time'
import { resolveTaskId } from '../repository/tasks.ts'
import { taskStatuses } from '../states.ts'
import type { TaskOperations } from '../tasks.ts'
import type { TaskView } from '../view.ts'
import { flagFaults, splitTags } from './flags.ts'
import { isTaskUnfinished, outcomeText, waitedExit, waitForTask } from './wait.ts'

const task_id = {
  type: 'positional',
  describe: 'Id of the task, or 8 or more of its first characters',
  required: true
} as const
const force = {
  type: 'boolean',
  describe: 'Also a draft that nearly repeats another post, or that lacks a niche'
} as const
const operator = (actor: string, reason: string | undefined) => ({ actor, reason: reason ?? null })

export const taskCommands = (tasks: TaskOperations, db: Db, costs: Costs | undefined) => ({
  list: list(tasks),
  get: get(tasks),
  create: create(tasks, db),
  approve: approve(tasks),
  reject: reject(tasks, costPrinter(db, costs)),
  publish: publish(tasks),
  retry: retry(tasks, costPrinter(db, costs)),
  cancel: cancel(tasks)
})

type PrintCost = (task_id: string, terminal: Terminal) => Promise<void>

/** Says what one more attempt costs, about, before it is asked for. */
const costPrinter =
  (db: Db, costs: Costs | undefined): PrintCost =>
  async (id, terminal) => {
    const estimate = await costs?.estimate(db, await resolveTaskId(db, id))
    if (estimate == null || estimate.amount === null || estimate.amount === 0) return
    const basis = pluralized(estimate.based_on, 'earlier attempt')
    terminal.note(`This re-run costs about ${estimate.amount} ${estimate.currency} (mean of ${basis}).`)
  }

const columns = [
  { heading: 'TASK' },
  { heading: 'STATUS' },
  { heading: 'SCORE', dropOrder: 1 },
  { heading: 'TOPIC', isText: true }
]

const list = (tasks: TaskOperations) =>
  command({
    describe: 'Tasks, newest first',
    returns: 'list of Task',
    args: {
      status: { type: 'string', describe: 'Only tasks in this status', options: taskStatuses },
      limit: { type: 'integer', describe: 'Tasks to show, at most 100', default: 20, minimum: 1, maximum: 100 },
      offset: { type: 'integer', describe: 'Tasks to skip', default: 0, minimum: 0, maximum: 1_000_000_000 }
    },
    async run({ args }) {
      const page = { limit: args.limit, offset: args.offset, after: null }
      const { items, total, limit, offset } = await tasks.list({ status: args.status }, page)
      return { items, total, limit, offset }
    },
    text: (page, terminal) => {
      const rows = page.items.map(task => [
        task.task_id.slice(0, 8),
        task.status,
        task.qa?.score?.toString() ?? null,
        task.topic
      ])
      return pageTable(columns, rows, { ...page, empty: 'No task fits: "tasks create TOPIC" makes one.' }, terminal)
    }
  })

const get = (tasks: TaskOperations) =>
  command({
    describe: 'One task with its text',
    returns: 'Task',
    args: { task_id },
    run: ({ args }) => tasks.getWithCost(args.task_id),
    text: ({ content, qa, cost, ...task }, terminal) =>
      [fieldLines(task, terminal), qaLines(qa, terminal), costLines(cost, terminal), content]
        .filter(Boolean)
        .join('\n\n')
  })

/** Nothing for a task that no model was asked for. */
function costLines(cost: TaskCost | null, terminal: Terminal): string {
  if (cost === null || cost.calls === 0) return ''
  const rows = cost.attempts.flatMap(({ attempt, parts }) =>
    parts.map(({ part, amount, calls }) => [String(attempt), part, amount.toFixed(6), String(calls)])
  )
  const columns = [
    { heading: 'ATTEMPT' },
    { heading: 'PART' },
    { heading: 'COST' },
    { heading: 'REQUESTS', dropOrder: 1 }
  ]
  const { amount } = cost.next_run
  const next = amount === null ? '' : `; one more attempt about ${amount.toFixed(6)}`
  return `${table(columns, rows, terminal)}\nTotal ${cost.amount.toFixed(6)} ${cost.currency}${next}`
}

const qaLines = (qa: TaskView['qa'], terminal: Terminal): string =>
  qa === null
    ? ''
    : table(
        [
          { heading: 'RAIL' },
          { heading: 'PASSED' },
          { heading: 'SCORE', dropOrder: 1 },
          { heading: 'NOTE', isText: true }
        ],
        qa.rails.map(rail => [rail.name, rail.passed ? 'yes' : 'no', String(rail.score), rail.note]),
        terminal
      )

const create = (tasks: TaskOperations, db: Db) =>
  command({
    describe: 'Create a task; the pipeline drafts it',
    returns: 'Task',
    exitStatuses: { 1: 'refused; with --wait also when no draft came of it' },
    args: {
      topic: { type: 'positional', describe: 'What to write about, 3–200 characters', required: true },
      category: { type: 'string', describe: 'Slug of the category' },
      tags: { type: 'string', describe: 'Tags, separated by commas' },
      keyword: { type: 'string', describe: 'The keyword the text is about' },
      'target-length': { type: 'integer', describe: 'Words wanted, 200–5000', minimum: 200, maximum: 5000 },
      style: { type: 'string', describe: 'Style, such as technical' },
      tone: { type: 'string', describe: 'Tone, such as professional' },
      audience: { type: 'string', describe: 'Who it is written for' },
      niche: { type: 'string', describe: 'Niche the post belongs to' },
      wait: {
        type: 'boolean',
        describe: 'Wait until the pipeline has done with it, and show its stages; Ctrl-C leaves the task going'
      }
    },
    validate: ({ topic, keyword, tags, category, style, tone, audience, niche }) =>
      flagFaults({ topic, keyword, tags, category, style, tone, audience, niche }),
    async run({ args, actor, terminal }) {
      const task = await tasks.create(
        {
          topic: args.topic,
          category: args.category ?? null,
          tags: splitTags(args.tags),
          primary_keyword: args.keyword ?? null,
          target_audience: args.audience ?? null,
          niche_slug: args.niche ?? null,
          ...(args['target-length'] === undefined ? {} : { target_length: args['target-length'] }),
          ...(args.style === undefined ? {} : { style: args.style }),
          ...(args.tone === undefined ? {} : { tone: args.tone })
        },
        { actor, source: 'cli' }
      )
      if (!args.wait) return task
      terminal.note(`Created task ${task.task_id}: ${task.topic}`)
      return waitForTask({ db, get: tasks.getWithCost }, task.task_id, terminal)
    },
    text: task => (isTaskUnfinished(task) ? `Created task ${task.task_id}: ${task.topic}` : outcomeText(task)),
    exitStatus: (task, { wait }) => (wait ? waitedExit(task) : 0)
  })

const approve = (tasks: TaskOperations) =>
  command({
    describe: 'Approve a draft: published now, or at a time',
    returns: 'Task with warnings, where there are any',
    args: {
      task_id,
      'publish-at': { type: 'string', describe: 'ISO 8601 time; without it the post is published now' },
      reason: { type: 'string', describe: 'Why, for the history' },
      force
    },
    async run({ args, actor, terminal }) {
      const by = { ...operator(actor, args.reason), skipsChecks: args.force }
      const task = await tasks.approve(args.task_id, args['publish-at'] ?? null, by)
      for (const warning of task.warnings ?? []) terminal.note(`warning: ${warning}`)
      return task
    },
    text: decided
  })

const reject = (tasks: TaskOperations, printCost: PrintCost) =>
  command({
    describe: 'Reject a draft: written again with the feedback, or finally',
    returns: 'Task',
    args: {
      task_id,
      feedback: { type: 'string', describe: 'What should change; the writer is given it', required: true },
      reason: { type: 'string', describe: 'Short reason, for the history' },
      retry: { type: 'boolean', describe: 'Write it again (the default)' },
      final: { type: 'boolean', describe: 'Reject finally' }
    },
    async confirm({ args }) {
      if (!args.final || args.retry) return null
      const { task_id: id } = await tasks.get(args.task_id)
      return { text: `Reject the task ${id} finally? It can never be written again.` }
    },
    validate: ({ feedback, retry, final }) => ({
      ...(feedback !== undefined && feedback.trim() === '' ? { feedback: 'is blank: say what should change' } : {}),
      ...(retry && final ? { final: 'cannot be combined with --retry' } : {})
    }),
    async run({ args, actor, terminal }) {
      if (!args.final) await printCost(args.task_id, terminal)
      if (!args.retry && !args.final)
        terminal.note('warning: neither --retry nor --final given; the draft will be written again (--retry)')
      return tasks.reject(
        args.task_id,
        args.feedback,
        { allow_revisions: args.final !== true },
        operator(actor, args.reason)
      )
    },
    text: decided
  })

const publish = (tasks: TaskOperations) =>
  command({
    describe: 'Publish a draft now, whatever slot it has',
    returns: 'Task',
    args: { task_id, reason: { type: 'string', describe: 'Why, for the history' }, force },
    run: ({ args, actor }) => tasks.publish(args.task_id, { ...operator(actor, args.reason), skipsChecks: args.force }),
    text: decided
  })

const retry = (tasks: TaskOperations, printCost: PrintCost) =>
  command({
    describe: 'Retry a failed or rejected task; an unchecked draft is reused',
    returns: 'Task',
    args: { task_id, reason: { type: 'string', describe: 'Why, for the history' } },
    async run({ args, actor, terminal }) {
      await printCost(args.task_id, terminal)
      return tasks.retry(args.task_id, operator(actor, args.reason))
    },
    text: decided
  })

const cancel = (tasks: TaskOperations) =>
  command({
    describe: 'End a task that is not published yet, and archive its post',
    returns: 'Task',
    args: { task_id, reason: { type: 'string', describe: 'Why, for the history' } },
    async confirm({ args }) {
      const { task_id: id, topic } = await tasks.get(args.task_id)
      return { text: `Cancel the task ${id} ("${topic}")? Its draft, if it has one, is archived.` }
    },
    run: ({ args, actor }) => tasks.cancel(args.task_id, operator(actor, args.reason)),
    text: decided
  })

function decided(task: TaskView, { timeZone }: Terminal): string {
  const slot = task.publish_at === null ? '' : `goes live at ${formatInstant(task.publish_at, timeZone)}`
  const where = task.published_url ?? slot
  return `Task ${task.task_id} is ${task.status}. ${where}`.trim()
}
