import { type App, access } from '#core'
import { type PageQuery, type PageRequest, pageOf, pageRequest, sendPage } from '#lists'
import { periodOf } from '#time'
import type { TaskFilter } from '../repository/lists.ts'
import { Task, TaskItem, TaskListQuery, TaskParameters } from '../schemas.ts'
import type { TaskOperations } from '../tasks.ts'

const reads = { access: access.bearer('api:read') }
const tags = ['tasks']

export function taskReadRoutes(app: App, tasks: TaskOperations, timeZone: () => string): void {
  listRoute(app, tasks, timeZone)
  getRoute(app, tasks)
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

function getRoute(app: App, tasks: TaskOperations): void {
  const schema = {
    operationId: 'getTask',
    tags,
    summary: 'One task with its text',
    params: TaskParameters,
    response: { 200: Task }
  }
  const config = { ...reads, documentation: { errors: ['AMBIGUOUS_ID'] } } as const
  app.get('/api/tasks/:task_id', { config, schema }, async request => tasks.getWithCost(request.params.task_id))
}
