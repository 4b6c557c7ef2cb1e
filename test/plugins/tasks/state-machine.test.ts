import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { AppError, ConflictError } from '#core'
import { restoringTransition, transitions } from '../../../plugins/tasks/states.ts'
import { assertAgree } from '../../helpers/agreement.ts'
import { openTasks, type TaskHarness } from './harness.ts'

let harness: TaskHarness
before(async () => {
  harness = await openTasks()
})
after(() => harness.close())

/** The specification's table, with the rows the contract adds: from, the event that records it, to. */
const table = [
  '- created pending',
  '- proposed pending',
  '- proposed awaiting_gate',
  'awaiting_gate topic_approved pending',
  'awaiting_gate topic_rejected dismissed',
  'pending picked_up in_progress',
  'in_progress research_done in_progress',
  'in_progress draft_done in_progress',
  'in_progress qa_passed awaiting_approval',
  'in_progress qa_failed rejected',
  'in_progress postponed in_progress',
  'in_progress failed failed',
  'pending pickup_failed failed',
  'rejected_retry pickup_failed failed',
  'failed retried pending',
  'rejected retried pending',
  ...[
    'pending',
    'in_progress',
    'awaiting_gate',
    'awaiting_approval',
    'approved',
    'rejected',
    'rejected_retry',
    'failed'
  ].map(from => `${from} cancelled dismissed`),
  'awaiting_approval approved published',
  'awaiting_approval scheduled approved',
  'awaiting_approval rejected rejected',
  'awaiting_approval rejected_for_retry rejected_retry',
  'awaiting_approval rejected_finally rejected_final',
  'awaiting_approval post_published published',
  ...['pending', 'in_progress', 'rejected', 'rejected_retry', 'rejected_final', 'failed'].flatMap(from => [
    `${from} post_published published`,
    `${from} archived dismissed`
  ]),
  'awaiting_approval archived dismissed',
  'approved archived dismissed',
  'published archived dismissed',
  'published unpublished awaiting_approval',
  'dismissed restored awaiting_approval',
  'dismissed restored_rejected rejected',
  'dismissed restored_finally_rejected rejected_final',
  'rejected_retry reclaimed in_progress',
  'rejected_retry rejected_finally rejected_final',
  'approved post_published published',
  'approved reopened awaiting_approval',
  'approved slot_rejected rejected'
]

test('a task leaves the archive as one that waits only where its draft was not rejected', () => {
  const restoring = Object.fromEntries(transitions.archived.from.map(from => [from, restoringTransition(from)]))
  assert.deepEqual(restoring, {
    awaiting_approval: 'restored',
    approved: 'restored',
    published: 'restored',
    pending: 'restored_rejected',
    in_progress: 'restored_rejected',
    failed: 'restored_rejected',
    rejected: 'restored_rejected',
    rejected_retry: 'restored_rejected',
    rejected_final: 'restored_finally_rejected'
  })
})

test('the moves in the code are the rows of the table', () => {
  const moves = Object.entries(transitions).flatMap(([name, { from, to }]) => from.map(each => `${each} ${name} ${to}`))
  const isMove = (row: string) => !row.startsWith('-') && !row.includes('_done') && !row.includes('postponed')
  assert.deepEqual(moves.sort(), table.filter(isMove).sort())
})

const by = { actor: 'operator' }
const answer = { actor: 'operator', reason: 'Because.' }
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
let topics = 0

interface Target {
  task_id: string
  /** Of the task's post; the task's own while it has none, which is no post's id. */
  post_id: string
}
type Operation = (target: Target, pick: number) => Promise<unknown>

/** What a decision on a task leads to from each status; from any other it is refused. */
const decisions: Record<string, { run: Operation; to: Record<string, string> }> = {
  approve: {
    run: ({ task_id }) => harness.operations.approve(task_id, null, by),
    to: { awaiting_approval: 'published', approved: 'approved', published: 'published' }
  },
  'approve for later': {
    run: ({ task_id }) => harness.operations.approve(task_id, inAnHour(), by),
    to: { awaiting_approval: 'approved' }
  },
  publish: {
    run: ({ task_id }) => harness.operations.publish(task_id, by),
    to: { awaiting_approval: 'published', approved: 'published', published: 'published' }
  },
  'approve with approved: false': {
    run: ({ task_id }) => harness.operations.rejectWithoutRetry(task_id, by),
    to: { awaiting_approval: 'rejected' }
  },
  'reject --retry': {
    run: ({ task_id }) => harness.operations.reject(task_id, 'Shorter.', { allow_revisions: true }, by),
    to: { awaiting_approval: 'rejected_retry' }
  },
  'reject --final': {
    run: ({ task_id }) => harness.operations.reject(task_id, 'No.', { allow_revisions: false }, by),
    to: { awaiting_approval: 'rejected_final', rejected_retry: 'rejected_final', rejected_final: 'rejected_final' }
  },
  retry: {
    run: ({ task_id }) => harness.operations.retry(task_id, by),
    to: { failed: 'pending', rejected: 'pending' }
  },
  cancel: {
    run: ({ task_id }) => harness.operations.cancel(task_id, by),
    to: Object.fromEntries([...transitions.cancelled.from, 'dismissed' as const].map(from => [from, 'dismissed']))
  },
  'gates approve': {
    run: ({ task_id }) => harness.gates.approve('awaiting_approval', task_id, answer),
    to: { awaiting_approval: 'published', approved: 'approved', published: 'published' }
  },
  'gates reject': {
    run: ({ task_id }) => harness.gates.reject('awaiting_approval', task_id, answer),
    to: { awaiting_approval: 'rejected_retry' }
  },
  'topics approve': { run: ({ task_id }) => harness.topics.approve(task_id, by), to: { awaiting_gate: 'pending' } },
  'topics reject': { run: ({ task_id }) => harness.topics.reject(task_id, by), to: { awaiting_gate: 'dismissed' } },
  'gates approve --gate topic_decision': {
    run: ({ task_id }) => harness.gates.approve('topic_decision', task_id, answer),
    to: { awaiting_gate: 'pending' }
  },
  'gates reject --gate topic_decision': {
    run: ({ task_id }) => harness.gates.reject('topic_decision', task_id, answer),
    to: { awaiting_gate: 'dismissed' }
  }
}

const turn = (key: string, value: unknown): Operation => {
  return async () => {
    harness.values[key] = value
  }
}
const queued = <Item>(items: Item[], pick: number): Item | undefined => items[pick % Math.max(items.length, 1)]
const taken = <Item>(items: Item[], pick: number): Item | undefined =>
  items.splice(pick % Math.max(items.length, 1), 1)[0]
const slots = () => harness.scheduling.changes

/** Everything else that happens to tasks and their posts. */
const operations: Record<string, Operation> = {
  create: () => harness.operations.create({ topic: `Topic ${++topics}` }, { ...by, source: 'api' }),
  propose: () => harness.topics.propose({ topic: `Topic ${++topics}` }, { ...by, source: 'manual' }),
  'propose again --strict': () =>
    harness.topics.propose({ topic: `Topic ${topics}` }, { ...by, source: 'manual', strict: true }),
  'topic gate on': turn('pipeline_gate_topic_decision', 'on'),
  'topic gate off': turn('pipeline_gate_topic_decision', 'off'),
  'publish gate on': turn('pipeline_gate_final_publish_approval', 'on'),
  'publish gate off': turn('pipeline_gate_final_publish_approval', 'off'),
  'human approval on': turn('require_human_approval', true),
  'human approval off': turn('require_human_approval', false),
  'checks fail': async () => Object.assign(harness.pipeline, { score: 10 }),
  'checks pass': async () => Object.assign(harness.pipeline, { score: 90 }),
  'writer down': async () => Object.assign(harness.pipeline, { isWriterDown: true }),
  'writer up': async () => Object.assign(harness.pipeline, { isWriterDown: false }),
  'a job runs': (_, pick) => runQueued(taken(harness.jobs, pick)),
  'a job runs and is handed back': (_, pick) => runQueued(queued(harness.jobs, pick)),
  'an event is delivered': (_, pick) => deliver(taken(harness.events, pick)),
  'an event is delivered and kept': (_, pick) => deliver(queued(harness.events, pick)),
  'schedule at': ({ post_id }) => slots().at(post_id, { in: '1h' }, by),
  'schedule at --force': ({ post_id }) =>
    slots().at(post_id, { in: '2h' }, { ...by, skipsChecks: true, replacesSlot: true }),
  'schedule shift': ({ post_id }) => slots().shift(post_id, '30m', by),
  'schedule clear': ({ post_id }) => slots().clear(post_id, by),
  'schedule approve': ({ post_id }) => slots().approve(post_id, by),
  'schedule reject': ({ post_id }) => slots().reject(post_id, by),
  'slot passes': ({ post_id }) =>
    harness.db.query(
      `with passed as (
         update posts set published_at = now() - interval '1 second' where post_id = $1 and status = 'scheduled'
         returning post_id, published_at
       )
       update tasks set publish_at = published_at from passed where tasks.post_id = passed.post_id`,
      [post_id]
    ),
  'publisher runs': () => harness.scheduling.publisher.publishDue(harness.signal),
  edit: ({ post_id }) => harness.components.edits.edit(post_id, { title: `Title ${++topics}` }, by),
  'posts publish': ({ post_id }) => harness.db.transaction(tx => harness.posts.publish(tx, post_id, by)),
  unpublish: ({ post_id }) => harness.components.states.unpublish(post_id, by),
  archive: ({ post_id }) => harness.components.states.archiveChecked(post_id, by, () => {}),
  restore: ({ post_id }) => harness.components.states.restore(post_id, by)
}
const runQueued = async (job: TaskHarness['jobs'][number] | undefined) => job && harness.runJob(job)
const deliver = async (event: TaskHarness['events'][number] | undefined) => event && harness.deliver(event)

interface TaskRow extends Target {
  status: string
  awaiting_gate: string | null
  attempt: number
  completed_at: string | null
  qa: object | null
  post_status: string | null
}

const readTasks = () =>
  harness.db.query<TaskRow>(
    `select t.task_id, coalesce(p.post_id, t.task_id) as post_id, t.status, t.awaiting_gate, t.attempt, t.completed_at, t.qa,
       p.status as post_status
     from tasks t left join posts p on p.task_id = t.task_id order by t.created_at, t.task_id`
  )

const maxTopics = 2
const ended = ['published', 'rejected', 'rejected_final', 'dismissed', 'failed']
const hasPost = ['awaiting_approval', 'approved', 'published', 'rejected_retry']

async function check(): Promise<void> {
  const moves = await harness.db.query<{ task_id: string; from: string; type: string; to: string }>(
    `select task_id, coalesce(from_status, '-') as "from", type, to_status as "to" from pipeline_events order by id`
  )
  const tasks = await readTasks()
  assert.ok(tasks.filter(task => task.awaiting_gate !== null).length <= maxTopics, 'the topic queue is full')
  await assertAgree(harness.db)
  for (const task of tasks) {
    const history = moves.filter(move => move.task_id === task.task_id)
    let status = '-'
    for (const { from, type, to } of history) {
      assert.equal(from, status, `the history has no gap before ${type}`)
      assert.ok(table.includes(`${from} ${type} ${to}`), `${from} ${type} ${to} is no row of the table`)
      status = to
    }
    assert.equal(task.status, status, 'the history ends where the task is')
    assert.equal(task.awaiting_gate, status === 'awaiting_gate' ? 'topic_decision' : null)
    assert.equal(task.completed_at !== null, ended.includes(status), `${status} has ended or not`)
    assert.equal(task.attempt, 1 + history.filter(({ type }) => ['reclaimed', 'retried'].includes(type)).length)
    // One that was dismissed while it was written again has no checks of the text that is restored: a person looks at it.
    const isChecked = task.qa !== null || history.some(({ type }) => type.startsWith('restored'))
    if (hasPost.includes(status)) assert.ok(task.post_status !== null && isChecked, `${status} has a draft`)
  }
}

async function checkDrained(): Promise<void> {
  await harness.drain()
  await check()
  for (const { status } of await readTasks()) {
    assert.ok(
      !['pending', 'in_progress', 'rejected_retry'].includes(status),
      `nothing is left to do, and it is ${status}`
    )
  }
}

const traces = ['pipeline_events', 'post_history', 'gate_history', 'tasks', 'posts']
async function trace(): Promise<unknown> {
  const [row] = await harness.db.query(
    `select ${traces.map(name => `(select count(*) from ${name}) as ${name}`).join(', ')}`
  )
  return { ...row, jobs: harness.jobs.length, events: harness.events.length }
}

/** @returns whether it was refused, as a refusal that a client is notified of. */
async function wasRefused(name: string, work: Promise<unknown> | undefined): Promise<boolean> {
  try {
    await work
    return false
  } catch (error) {
    assert.ok(error instanceof AppError, `${name}: ${error}`)
    assert.ok(
      error instanceof ConflictError || ['NOT_FOUND', 'VALIDATION_ERROR'].includes(error.code),
      `${name}: ${error.code}`
    )
    return true
  }
}

interface Step {
  name: string
  task: number
  pick: number
  /** What somebody else does to the same task at the same moment. */
  other: string | null
}

const start = ({ name, pick }: Pick<Step, 'name' | 'pick'>, target: Target) =>
  (decisions[name]?.run ?? operations[name])?.(target, pick)

const drained = 'everything queued is done'
const apt = 'something that the task allows'
const drafted = ['edit', 'schedule at', 'schedule at', 'schedule at', 'posts publish', 'archive']
const slotted = [
  'edit',
  'edit',
  'slot passes',
  'publisher runs',
  'schedule clear',
  'schedule approve',
  'schedule reject'
]

function aptFor(task: TaskRow | undefined, pick: number): string {
  const status = task?.status ?? ''
  const allowed = Object.keys(decisions).filter(name => decisions[name]?.to[status] !== undefined)
  if (status === 'awaiting_approval') allowed.push(...drafted)
  if (status === 'approved') allowed.push(...slotted, ...slotted)
  if (status === 'dismissed' && task?.post_status === 'archived') allowed.push('restore')
  if (status === 'published') allowed.push('unpublish', 'unpublish', 'edit')
  return allowed[pick % allowed.length] ?? 'a job runs'
}

const nobody: Target = {
  task_id: '00000000-0000-4000-8000-000000000000',
  post_id: '00000000-0000-4000-8000-000000000000'
}

async function run(step: Step): Promise<void> {
  if (step.name === drained) return checkDrained()
  const tasks = await readTasks()
  const target = tasks[step.task % Math.max(tasks.length, 1)]
  if (step.name === apt) return run({ ...step, name: aptFor(target, step.pick) })
  if (step.other !== null) {
    const both = [step, { ...step, name: step.other }].map(each => wasRefused(each.name, start(each, target ?? nobody)))
    await Promise.all(both)
    return
  }
  const before = await trace()
  const isRefused = await wasRefused(step.name, start(step, target ?? nobody))
  if (isRefused) assert.deepEqual(await trace(), before, `${step.name} was refused and changed something`)
  if (target !== undefined) await checkDecision(step.name, target, isRefused)
}

/** A decision leads where the table says, or is refused: for its status, or because something else was done to the post. */
async function checkDecision(name: string, task: TaskRow, isRefused: boolean): Promise<void> {
  const decision = decisions[name]
  if (decision === undefined) return
  const to = decision.to[task.status]
  if (to === undefined) assert.ok(isRefused, `${name} of a task that is ${task.status}`)
  else assert.ok(!isRefused, `${name} of ${task.status} was refused`)
  if (to !== undefined) {
    const now = (await readTasks()).find(({ task_id }) => task_id === task.task_id)
    assert.equal(now?.status, to, `${name} of a task that is ${task.status}`)
    if (task.post_status === 'awaiting_approval' && to === 'published') assert.equal(now?.post_status, 'published')
    if (task.post_status === 'awaiting_approval' && to === 'approved') assert.equal(now?.post_status, 'scheduled')
  }
}

const decided = Object.keys(decisions)
const names = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...decided) },
  { weight: 4, arbitrary: fc.constantFrom(...Object.keys(operations)) },
  { weight: 8, arbitrary: fc.constant(apt) },
  { weight: 3, arbitrary: fc.constantFrom('create', 'propose', 'a job runs', 'an event is delivered') },
  { weight: 3, arbitrary: fc.constant(drained) }
)
const other = fc.option(fc.constantFrom(...decided, ...Object.keys(operations)), { freq: 3, nil: null })
const steps = fc.array(
  fc.record({ name: names, task: fc.nat({ max: 3 }), pick: fc.nat({ max: 29 }), other: fc.constant(null) }),
  {
    minLength: 10,
    maxLength: 40
  }
)
const pairs = fc.array(fc.record({ name: names, task: fc.nat({ max: 2 }), pick: fc.nat({ max: 29 }), other }), {
  minLength: 10,
  maxLength: 30
})

async function play(sequence: Step[]): Promise<void> {
  await harness.db.script('truncate tasks, pipeline_events, posts, gate_history cascade')
  for (const list of [harness.jobs, harness.events]) list.splice(0)
  for (const key of Object.keys(harness.values)) delete harness.values[key]
  Object.assign(harness.values, { topic_discovery_max_pending: maxTopics, auto_publish_threshold: 80 })
  Object.assign(harness.pipeline, { score: 90, isWriterDown: false })
  // Two drafts that wait: an empty queue is uninteresting for long.
  for (const name of ['create', 'create', drained]) await run({ name, task: 0, pick: 0, other: null })
  for (const step of sequence) {
    await run(step)
    await check()
  }
  await checkDrained()
}

test('no sequence of operations takes a task or a topic where the table does not', async () => {
  await fc.assert(fc.asyncProperty(steps, play), { numRuns: 10, seed: 20261121, endOnFailure: true })
})

test('nor do two operators at once', async () => {
  await fc.assert(fc.asyncProperty(pairs, play), { numRuns: 10, seed: 20261122, endOnFailure: true })
})
