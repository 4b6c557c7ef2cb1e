import { type Db, type Emit, type Enqueue, InputError, NotFoundError, type Queryable, type Tx } from '#core'
import { type Page, type PageRequest, toPage } from '#lists'
import { maxSlotMs, type PostDecision, type Posts } from '#plugins/posts'
import { parseInstant } from '#time'
import {
  type ApprovalDeps,
  approve,
  approveAtGate,
  type LockedTask,
  lockForDecision,
  rejectFinally,
  rejectForRetry,
  rejectWithoutRetry,
  requireFeedback
} from './approval.ts'
import { cancel } from './cancel.ts'
import { addTask, moveTask } from './moves.ts'
import { queueTask } from './queue.ts'
import { countTasks, listTasks, type TaskFilter } from './repository/lists.ts'
import { findTask, resolveTaskId, type TaskRow } from './repository/tasks.ts'
import { newTask, type TaskRequest } from './request.ts'
import { retry } from './retry.ts'
import type { TaskStatus } from './states.ts'
import {
  type DecidedTask,
  type ListedTask,
  readPostOf,
  type TaskView,
  type TaskWithCost,
  type TaskWithPost,
  taskView,
  taskViews
} from './view.ts'

/** The use-cases on tasks. Ids may be prefixes of 8 or more characters. */
export interface TaskOperations {
  create(request: TaskRequest, by: { actor: string; source: string }): Promise<TaskView>
  get(id: string): Promise<TaskView>
  /** The same with what it cost. */
  getWithCost(id: string): Promise<TaskWithCost>
  list(filter: TaskFilter, page: PageRequest): Promise<Page<ListedTask>>
  /** `publish_at` is ISO 8601; null publishes now. */
  approve(id: string, publish_at: string | null, by: PostDecision): Promise<DecidedTask>
  /** Gives back the slot that an edit took while it lies ahead, and else publishes now. */
  approveAtGate(id: string, by: PostDecision): Promise<TaskView>
  rejectWithoutRetry(id: string, by: PostDecision, feedback?: string): Promise<TaskView>
  reject(id: string, feedback: string, options: { allow_revisions: boolean }, by: PostDecision): Promise<TaskView>
  /** Puts a draft online now, whatever slot it has. */
  publish(id: string, by: PostDecision): Promise<TaskView>
  /** Retries a failed or rejected task; an unchecked draft is reused. */
  retry(id: string, by: PostDecision): Promise<TaskView>
  /** Ends what is not published yet; its post is archived. */
  cancel(id: string, by: PostDecision): Promise<TaskView>
}

interface TaskDeps extends ApprovalDeps {
  db: Db
  emit: Emit
  enqueue: Enqueue
  posts: Posts
  defaultLength(): number
  timeZone(): string
  now(): Date
}

export function createTasks(deps: TaskDeps): TaskOperations {
  const { db, posts, costs } = deps
  const idOf = (id: string) => resolveTaskId(db, id)
  const read = async (from: Queryable, task_id: string): Promise<TaskWithPost> => {
    const task = await findTask(from, task_id)
    if (task === undefined) throw new NotFoundError(`There is no task ${task_id}.`)
    return readPostOf(from, posts, task)
  }
  // Answers as the decision left the task: once it is committed, a worker may be ahead.
  const change = async (id: string, work: (tx: Tx, locked: LockedTask) => Promise<void>) => {
    const task_id = await idOf(id)
    const decided = await db.transaction(async tx => {
      await work(tx, await lockForDecision(deps, tx, task_id))
      return read(tx, task_id)
    })
    return taskView(posts, decided)
  }

  /** Before the transaction: an embedder may take long. */
  const checkDuplicate = async (id: string, statuses: readonly TaskStatus[], by: PostDecision) => {
    const task = await findTask(db, await idOf(id))
    if (task === undefined || task.post_id === null || !statuses.includes(task.status)) return
    await posts.checkDuplicate(task.post_id, by)
  }

  return {
    create: async (request, by) => taskView(posts, { task: await create(deps, request, by), post: undefined }),
    get: async id => taskView(posts, await read(db, await idOf(id))),
    async getWithCost(id) {
      const found = await read(db, await idOf(id))
      const [view, cost] = await Promise.all([taskView(posts, found), costs?.ofTask(db, found.task.task_id)])
      return { ...view, cost: cost ?? null }
    },
    async list(filter, page) {
      const [rows, total] = await Promise.all([listTasks(db, filter, page), countTasks(db, filter)])
      const found = toPage(rows, page, total, row => [row.created_at, row.task_id])
      const items = (await taskViews(db, posts, found.items)).map(({ content: _, ...item }) => item)
      return { ...found, items }
    },
    async approve(id, publish_at, by) {
      const at = publish_at === null ? null : futureInstant(publish_at, deps)
      await checkDuplicate(id, ['awaiting_approval'], by)
      return warned(posts, await change(id, (tx, locked) => approve(deps, tx, locked, at, by)))
    },
    async approveAtGate(id, by) {
      await checkDuplicate(id, ['awaiting_approval'], by)
      return change(id, (tx, locked) => approveAtGate(deps, tx, locked, by))
    },
    rejectWithoutRetry: (id, by, feedback) =>
      change(id, (tx, locked) => rejectWithoutRetry(deps, tx, locked, by, feedback?.trim() || undefined)),
    async reject(id, feedback, { allow_revisions }, by) {
      const words = requireFeedback(feedback)
      const decide = allow_revisions ? rejectForRetry : rejectFinally
      return change(id, (tx, locked) => decide(deps, tx, locked, words, by))
    },
    async publish(id, by) {
      // An approved draft may have lost its slot: others may have gone out since.
      await checkDuplicate(id, ['awaiting_approval', 'approved'], by)
      return change(id, (tx, locked) => publish(deps, tx, locked, by))
    },
    retry: (id, by) => change(id, (tx, { task }) => retry(deps, tx, task, by)),
    cancel: (id, by) => change(id, (tx, locked) => cancel(deps, tx, locked, by))
  }
}

function warned(posts: Pick<Posts, 'slotWarnings'>, task: TaskView): DecidedTask {
  const { post_slug: slug, publish_at: published_at } = task
  const warnings = slug === null ? [] : posts.slotWarnings({ slug, published_at })
  return warnings.length === 0 ? task : { ...task, warnings }
}

async function create(deps: TaskDeps, request: TaskRequest, by: { actor: string; source: string }): Promise<TaskRow> {
  const task = newTask(request, by.source, deps.defaultLength())
  return deps.db.transaction(async tx => {
    const row = await addTask(tx, task, { type: 'created', actor: by.actor })
    await queueTask(deps, tx, row.task_id, by.actor)
    return row
  })
}

function futureInstant(text: string, { timeZone, now }: TaskDeps): Date {
  const at = parseInstant(text, timeZone())
  if (at === null) throw new InputError({ publish_at: 'must be an ISO 8601 time such as 2027-01-31T09:00:00Z' })
  if (at <= now()) throw new InputError({ publish_at: `must be in the future: ${at.toISOString()} has passed` })
  if (at.getTime() >= maxSlotMs) throw new InputError({ publish_at: 'must be before the year 9999' })
  return at
}

async function publish(deps: TaskDeps, tx: Tx, locked: LockedTask, by: PostDecision): Promise<void> {
  const { task, post } = locked
  if (task.status !== 'approved' || post === null) return approve(deps, tx, locked, null, by)
  await moveTask(tx, task.task_id, 'post_published', {
    actor: by.actor,
    changes: { publish_at: null },
    detail: { reason: by.reason ?? null }
  })
  await deps.decisions.publish(tx, post, by)
}
