import {
  type Db,
  type Emit,
  type Enqueue,
  InputError,
  NotFoundError,
  type Page,
  type PageRequest,
  parseInstant,
  resolveId,
  toPage
} from '#core'
import type { Posts } from '#plugins/posts'
import {
  type ApprovalDeps,
  approve,
  type Decision,
  decline,
  rejectForGood,
  requireFeedback,
  sendBack,
  transition
} from './approval.ts'
import { insertEvent } from './event-repository.ts'
import { TaskCreated } from './index.ts'
import { catchUp } from './reopened.ts'
import { countTasks, findTask, insertTask, listTasks, type TaskRow } from './repository.ts'
import { newTask, type TaskRequest } from './request.ts'
import { pickup } from './step.ts'
import { type TaskView, viewOf } from './view.ts'

/** The use-cases on tasks. Ids may be prefixes of 8 or more characters. */
export interface TaskDesk {
  create(request: TaskRequest, by: { actor: string; source: string }): Promise<TaskView>
  get(id: string): Promise<TaskView>
  list(status: string | null, page: PageRequest): Promise<Page<TaskView>>
  /** `publish_at` is ISO 8601; null publishes now. */
  approve(id: string, publish_at: string | null, by: Decision): Promise<TaskView>
  decline(id: string, by: Decision): Promise<TaskView>
  reject(id: string, feedback: string, options: { allow_revisions: boolean }, by: Decision): Promise<TaskView>
  /** Puts a draft online now, whatever slot it has. */
  publish(id: string, by: Decision): Promise<TaskView>
}

export interface TaskDeps extends ApprovalDeps {
  db: Db
  emit: Emit
  enqueue: Enqueue
  posts: Posts
  defaultLength(): number
  timeZone(): string
  now(): Date
}

export function createTasks(deps: TaskDeps): TaskDesk {
  const { db, posts } = deps
  const idOf = (id: string) => resolveId(db, 'tasks', 'task_id', id)
  const get = async (task_id: string): Promise<TaskView> => {
    const task = await findTask(db, task_id)
    if (task === undefined) throw new NotFoundError(`There is no task ${task_id}.`)
    const [view] = await viewOf(db, posts, [task])
    return view as TaskView
  }
  const change = async (
    id: string,
    work: (tx: Parameters<Parameters<Db['transaction']>[0]>[0], task_id: string) => Promise<void>
  ) => {
    const task_id = await idOf(id)
    await db.transaction(tx => work(tx, task_id))
    return get(task_id)
  }

  return {
    create: (request, by) => create(deps, request, by).then(task => get(task.task_id)),
    get: async id => get(await idOf(id)),
    async list(status, page) {
      const [rows, total] = await Promise.all([listTasks(db, status, page), countTasks(db, status)])
      const found = toPage(rows, page, total, row => [row.created_at, row.task_id])
      return {
        ...found,
        items: (await viewOf(db, posts, found.items)).map(({ content: _, ...item }) => item as TaskView)
      }
    },
    async approve(id, publish_at, by) {
      const at = publish_at === null ? null : futureInstant(publish_at, deps)
      return change(id, (tx, task_id) => approve(deps, tx, task_id, at, by))
    },
    decline: (id, by) => change(id, (tx, task_id) => decline(deps, tx, task_id, by)),
    async reject(id, feedback, { allow_revisions }, by) {
      const words = requireFeedback(feedback)
      const decide = allow_revisions ? sendBack : rejectForGood
      return change(id, (tx, task_id) => decide(deps, tx, task_id, words, by))
    },
    publish: (id, by) => change(id, (tx, task_id) => publish(deps, tx, task_id, by))
  }
}

async function create(
  { db, emit, enqueue, defaultLength }: TaskDeps,
  request: TaskRequest,
  by: { actor: string; source: string }
): Promise<TaskRow> {
  const task = newTask(request, by.source, defaultLength())
  return db.transaction(async tx => {
    const row = await insertTask(tx, task)
    await insertEvent(tx, {
      task_id: row.task_id,
      type: 'created',
      from: null,
      to: 'pending',
      actor: by.actor,
      detail: { source: by.source }
    })
    await enqueue(tx, pickup, { task_id: row.task_id })
    await emit(tx, TaskCreated, { task_id: row.task_id, actor: by.actor })
    return row
  })
}

function futureInstant(text: string, { timeZone, now }: TaskDeps): Date {
  const at = parseInstant(text, timeZone())
  if (at === null) throw new InputError({ publish_at: 'must be an ISO 8601 time such as 2027-01-31T09:00:00Z' })
  if (at <= now()) throw new InputError({ publish_at: `must be in the future: ${at.toISOString()} has passed` })
  return at
}

async function publish(
  deps: TaskDeps,
  tx: Parameters<typeof approve>[1],
  task_id: string,
  by: Decision
): Promise<void> {
  await catchUp(deps, tx, task_id)
  const task = await findTask(tx, task_id)
  if (task?.status !== 'approved') return approve(deps, tx, task_id, null, by)
  const moved = await transition(tx, task_id, 'went_live', { actor: by.actor, changes: { publish_at: null } })
  if (moved?.post_id) await deps.posts.publish(tx, moved.post_id, by)
}
