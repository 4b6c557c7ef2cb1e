import { type App, access, type Db, NotFoundError, Type } from '#core'
import { type PageQuery, type PageRequest, pageOf, pageParameters, pageRequest, sendPage, toPage } from '#lists'
import { periodOf, periodParameters } from '#time'
import {
  countEvents,
  countTaskEvents,
  type EventFilter,
  listEvents,
  listTaskEvents,
  type PipelineEvent as PipelineEventRow
} from '../repository/events.ts'
import { findTask, resolveTaskId } from '../repository/tasks.ts'
import { PipelineEvent, TaskParameters } from '../schemas.ts'

const tags = ['tasks']
const reads = { access: access.bearer('api:read') }

/** The history of tasks. */
export function eventRoutes(app: App, db: Db, timeZone: () => string): void {
  eventsRoute(app, db, timeZone)
  taskEventsRoute(app, db)
}

/** The page of events asked for. Its cursor holds the event's id. */
export const eventPage = (query: PageQuery, { type, actor, since, until }: EventFilter): PageRequest =>
  pageRequest(query, ['integer'], ['pipeline events', type, actor, since?.toISOString(), until?.toISOString()])

/** The same of one task. */
export const taskEventPage = (query: PageQuery, task_id: string): PageRequest =>
  pageRequest(query, ['integer'], ['task events', task_id])

const cursorOf = ({ id }: PipelineEventRow) => [String(id)] as const

const label = (description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 100, description, examples: [example] }))

const EventQuery = Type.Object(
  {
    type: label('Only transitions of this type.', 'qa_passed'),
    actor: label('Only what this client or part did.', 'pipeline'),
    ...periodParameters,
    ...pageParameters
  },
  { additionalProperties: false }
)

function eventsRoute(app: App, db: Db, timeZone: () => string): void {
  const schema = {
    operationId: 'listPipelineEvents',
    tags,
    summary: 'Task transitions, newest first',
    querystring: EventQuery,
    response: { 200: pageOf(PipelineEvent) }
  }
  app.get('/api/pipeline/events', { config: reads, schema }, async (request, reply) => {
    const { type, actor } = request.query
    const filter = { type, actor, ...periodOf(request.query, timeZone()) }
    const page = eventPage(request.query, filter)
    const [rows, total] = await Promise.all([listEvents(db, filter, page), countEvents(db, filter)])
    return sendPage(request, reply, toPage(rows, page, total, cursorOf))
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
  const config = { ...reads, documentation: { errors: ['AMBIGUOUS_ID'] } } as const
  app.get('/api/pipeline/events/task/:task_id', { config, schema }, async (request, reply) => {
    const task_id = await resolveTaskId(db, request.params.task_id)
    if ((await findTask(db, task_id)) === undefined) throw new NotFoundError(`There is no task ${task_id}.`)
    const page = taskEventPage(request.query, task_id)
    const [rows, total] = await Promise.all([listTaskEvents(db, task_id, page), countTaskEvents(db, task_id)])
    return sendPage(request, reply, toPage(rows, page, total, cursorOf))
  })
}
