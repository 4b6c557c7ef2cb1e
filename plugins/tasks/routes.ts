import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  access,
  type Db,
  NotFoundError,
  type PageQuery,
  type PageRequest,
  pageOf,
  pageParameters,
  pageRequest,
  principalOf,
  resolveId,
  sendPage,
  toPage
} from '#core'
import { countEvents, countTaskEvents, listEvents, listTaskEvents } from './event-repository.ts'
import { findTask } from './repository.ts'
import {
  ApproveTask,
  CreateTask,
  PipelineEvent,
  RejectTask,
  Task,
  TaskItem,
  TaskListQuery,
  TaskParameters
} from './schemas.ts'
import type { TaskDesk } from './tasks.ts'

const reads = { access: access.bearer('api:read') }
const writes = { access: access.bearer('api:write') }
/** Of what takes a prefix of an id. */
const readsOne = { ...reads, describe: { errors: ['AMBIGUOUS_ID'] } } as const
const decides = {
  ...writes,
  describe: { errors: ['AMBIGUOUS_ID', 'CONFLICT', 'TASK_ALREADY_REJECTED', 'TASK_IN_PROGRESS'] }
} as const
const tags = ['tasks']

type App = Parameters<FastifyPluginAsyncTypebox>[0]

export const taskRoutes =
  (tasks: TaskDesk, db: Db): FastifyPluginAsyncTypebox =>
  async app => {
    listRoute(app, tasks)
    createRoute(app, tasks)
    getRoute(app, tasks)
    approveRoute(app, tasks)
    rejectRoute(app, tasks)
    eventsRoute(app, db)
    taskEventsRoute(app, db)
  }

/** The page of tasks asked for. Its cursor holds the time of creation and the id. */
export const taskPage = (query: PageQuery): PageRequest => pageRequest(query, ['timestamp', 'uuid'])

/** The page of events asked for. Its cursor holds the event's id. */
export const eventPage = (query: PageQuery): PageRequest => pageRequest(query, ['integer'])

const actorOf = (request: FastifyRequest): string => principalOf(request).client_id

function listRoute(app: App, tasks: TaskDesk): void {
  const schema = {
    operationId: 'listTasks',
    tags,
    summary: 'Tasks, newest first',
    querystring: TaskListQuery,
    response: { 200: pageOf(TaskItem) }
  }
  app.get('/api/tasks', { config: reads, schema }, async (request, reply) =>
    sendPage(request, reply, await tasks.list(request.query.status ?? null, taskPage(request.query)))
  )
}

function createRoute(app: App, tasks: TaskDesk): void {
  const schema = {
    operationId: 'createTask',
    tags,
    summary: 'Create a task; it enters the pipeline',
    body: CreateTask,
    response: { 201: Task }
  }
  app.post(
    '/api/tasks',
    { config: { ...writes, describe: { answerHeaders: { Location: 'Path of the task.' } } }, schema },
    async (request, reply) => {
      const task = await tasks.create(request.body as Parameters<TaskDesk['create']>[0], {
        actor: actorOf(request),
        source: 'api'
      })
      return reply.code(201).header('location', `/api/tasks/${task.task_id}`).send(task)
    }
  )
}

function getRoute(app: App, tasks: TaskDesk): void {
  const schema = {
    operationId: 'getTask',
    tags,
    summary: 'One task with its text',
    params: TaskParameters,
    response: { 200: Task }
  }
  app.get('/api/tasks/:task_id', { config: readsOne, schema }, async request => tasks.get(request.params.task_id))
}

function approveRoute(app: App, tasks: TaskDesk): void {
  const schema = {
    operationId: 'approveTask',
    tags,
    summary: 'Sign a draft off: published now, or at publish_at; approved: false turns it down',
    params: TaskParameters,
    body: ApproveTask,
    response: { 200: Task }
  }
  app.post('/api/tasks/:task_id/approve', { config: decides, schema }, async request => {
    const { approved, publish_at, feedback, reason } = request.body
    const by = { actor: actorOf(request), reason: reason ?? feedback ?? null }
    return approved
      ? tasks.approve(request.params.task_id, publish_at ?? null, by)
      : tasks.decline(request.params.task_id, by)
  })
}

function rejectRoute(app: App, tasks: TaskDesk): void {
  const schema = {
    operationId: 'rejectTask',
    tags,
    summary: 'Send a draft back with feedback, or reject it for good',
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
      { actor: actorOf(request), reason: reason ?? null }
    )
  })
}

function eventsRoute(app: App, db: Db): void {
  const querystring = Type.Object(pageParameters, { additionalProperties: false })
  const schema = {
    operationId: 'listPipelineEvents',
    tags,
    summary: 'Task transitions, newest first',
    querystring,
    response: { 200: pageOf(PipelineEvent) }
  }
  app.get('/api/pipeline/events', { config: reads, schema }, async (request, reply) => {
    const page = eventPage(request.query)
    const [rows, total] = await Promise.all([listEvents(db, page), countEvents(db)])
    return sendPage(
      request,
      reply,
      toPage(rows, page, total, row => [String(row.id)])
    )
  })
}

function taskEventsRoute(app: App, db: Db): void {
  const querystring = Type.Object(pageParameters, { additionalProperties: false })
  const schema = {
    operationId: 'listTaskEvents',
    tags,
    summary: "One task's history, oldest first",
    params: TaskParameters,
    querystring,
    response: { 200: pageOf(PipelineEvent) }
  }
  app.get('/api/pipeline/events/task/:task_id', { config: readsOne, schema }, async (request, reply) => {
    const task_id = await resolveId(db, 'tasks', 'task_id', request.params.task_id)
    if ((await findTask(db, task_id)) === undefined) throw new NotFoundError(`There is no task ${task_id}.`)
    const page = eventPage(request.query)
    const [rows, total] = await Promise.all([listTaskEvents(db, task_id, page), countTaskEvents(db, task_id)])
    return sendPage(
      request,
      reply,
      toPage(rows, page, total, row => [String(row.id)])
    )
  })
}
