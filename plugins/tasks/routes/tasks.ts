import { type App, access, type FastifyPluginAsyncTypebox, principalOf } from '#core'
import { type PageQuery, type PageRequest, pageOf, pageRequest, sendPage } from '#lists'
import { periodOf } from '#time'
import type { TaskFilter } from '../repository/lists.ts'
import {
  ApproveTask,
  CreateTask,
  RejectTask,
  Task,
  TaskDecision,
  TaskItem,
  TaskListQuery,
  TaskParameters
} from '../schemas.ts'
import type { TaskOperations } from '../tasks.ts'

const reads = { access: access.bearer('api:read') }
const writes = { access: access.bearer('api:write') }
/** Of what takes a prefix of an id. */
const readsOne = { ...reads, documentation: { errors: ['AMBIGUOUS_ID'] } } as const
const decides = {
  ...writes,
  documentation: { errors: ['AMBIGUOUS_ID', 'CONFLICT', 'TASK_ALREADY_REJECTED', 'TASK_IN_PROGRESS'] }
} as const
const tags = ['tasks']

export const taskRoutes =
  (tasks: TaskOperations, timeZone: () => string): FastifyPluginAsyncTypebox =>
  async app => {
    listRoute(app, tasks, timeZone)
    createRoute(app, tasks)
    getRoute(app, tasks)
    approveRoute(app, tasks)
    rejectRoute(app, tasks)
    retryRoute(app, tasks)
    cancelRoute(app, tasks)
  }

/** The page of tasks asked for. Its cursor holds the time of creation and the id. */
export const taskPage = (query: PageQuery, { status, category, niche_slug, since, until }: TaskFilter): PageRequest =>
  pageRequest(
    query,
    ['timestamp', 'uuid'],
    ['tasks', status, category, niche_slug, since?.toISOString(), until?.toISOString()]
  )

function listRoute(app: App, tasks: TaskOperations, timeZone: () => string): void {
  const schema = {
    operationId: 'listTasks',
    tags,
    summary: 'Tasks, newest first',
    querystring: TaskListQuery,
    response: { 200: pageOf(TaskItem) }
  }
  app.get('/api/tasks', { config: reads, schema }, async (request, reply) => {
    const { status, category, niche_slug } = request.query
    const filter = { status, category, niche_slug, ...periodOf(request.query, timeZone()) }
    return sendPage(request, reply, await tasks.list(filter, taskPage(request.query, filter)))
  })
}

function createRoute(app: App, tasks: TaskOperations): void {
  const schema = {
    operationId: 'createTask',
    tags,
    summary: 'Create a task; it enters the pipeline',
    body: CreateTask,
    response: { 201: Task }
  }
  app.post(
    '/api/tasks',
    { config: { ...writes, documentation: { responseHeaders: { Location: 'Path of the task.' } } }, schema },
    async (request, reply) => {
      const task = await tasks.create(request.body, { actor: principalOf(request).client_id, source: 'api' })
      return reply.code(201).header('location', `/api/tasks/${task.task_id}`).send(task)
    }
  )
}

function getRoute(app: App, tasks: TaskOperations): void {
  const schema = {
    operationId: 'getTask',
    tags,
    summary: 'One task with its text',
    params: TaskParameters,
    response: { 200: Task }
  }
  app.get('/api/tasks/:task_id', { config: readsOne, schema }, async request => tasks.get(request.params.task_id))
}

function approveRoute(app: App, tasks: TaskOperations): void {
  const schema = {
    operationId: 'approveTask',
    tags,
    summary: 'Approve a draft: published now, or at publish_at; approved: false rejects it',
    params: TaskParameters,
    body: ApproveTask,
    response: { 200: Task }
  }
  const errors = [...decides.documentation.errors, 'DUPLICATE_CONTENT', 'NICHE_REQUIRED'] as const
  app.post(
    '/api/tasks/:task_id/approve',
    { config: { ...writes, documentation: { errors } }, schema },
    async request => {
      const { approved, publish_at, feedback, reason, force = false } = request.body
      const by = { actor: principalOf(request).client_id, reason: reason ?? feedback ?? null, force }
      return approved
        ? tasks.approve(request.params.task_id, publish_at ?? null, by)
        : tasks.rejectWithoutRetry(request.params.task_id, by)
    }
  )
}

function rejectRoute(app: App, tasks: TaskOperations): void {
  const schema = {
    operationId: 'rejectTask',
    tags,
    summary: 'Reject a draft: written again with the feedback, or finally',
    params: TaskParameters,
    body: RejectTask,
    response: { 200: Task }
  }
  app.post('/api/tasks/:task_id/reject', { config: decides, schema }, async request => {
    const { feedback, reason, allow_revisions = true } = request.body
    return tasks.reject(
      request.params.task_id,
      feedback,
      { allow_revisions },
      { actor: principalOf(request).client_id, reason: reason ?? null }
    )
  })
}

function retryRoute(app: App, tasks: TaskOperations): void {
  const schema = {
    operationId: 'retryTask',
    tags,
    summary: 'Take up again a task that failed or was rejected; a draft that was never checked to the end is kept',
    params: TaskParameters,
    body: TaskDecision,
    response: { 200: Task }
  }
  app.post('/api/tasks/:task_id/retry', { config: decides, schema }, async request =>
    tasks.retry(request.params.task_id, { actor: principalOf(request).client_id, reason: request.body.reason ?? null })
  )
}

function cancelRoute(app: App, tasks: TaskOperations): void {
  const schema = {
    operationId: 'cancelTask',
    tags,
    summary: 'End a task that is not published yet, and archive its post; cancelling again changes nothing',
    params: TaskParameters,
    body: TaskDecision,
    response: { 200: Task }
  }
  app.post('/api/tasks/:task_id/cancel', { config: decides, schema }, async request =>
    tasks.cancel(request.params.task_id, { actor: principalOf(request).client_id, reason: request.body.reason ?? null })
  )
}
