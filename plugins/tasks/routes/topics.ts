import { type App, access, principalOf, Type } from '#core'
import { pageOf, pageParameters, pageRequest, sendPage } from '#lists'
import { CreateTask, TaskParameters, Topic } from '../schemas.ts'
import type { Topics } from '../topics.ts'

const tags = ['topics']
const strict = { additionalProperties: false }
const reads = { access: access.bearer('api:read') }
const writes = access.bearer('api:write')
const decides = { access: writes, documentation: { errors: ['AMBIGUOUS_ID', 'CONFLICT'] } } as const
const words = (description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()], { description, examples: [null] }))

/** The topic queue. */
export function topicRoutes(app: App, topics: Topics): void {
  listRoute(app, topics)
  proposeRoute(app, topics)
  getRoute(app, topics)
  approveRoute(app, topics)
  rejectRoute(app, topics)
}

function listRoute(app: App, topics: Topics): void {
  const source = Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Only from this source.' }))
  const schema = {
    operationId: 'listTopics',
    tags,
    summary: 'Topics that wait for a decision, oldest first',
    querystring: Type.Object({ source, ...pageParameters }, strict),
    response: { 200: pageOf(Topic) }
  }
  app.get('/api/topics', { config: reads, schema }, async (request, reply) => {
    const { source = null } = request.query
    const page = pageRequest(request.query, ['timestamp', 'uuid'], ['topics', source])
    return sendPage(request, reply, await topics.list(source, page))
  })
}

const { category, tags: labels, primary_keyword, target_length, style, tone, topic } = CreateTask.properties
const ProposeTopic = Type.Object(
  {
    topic,
    category,
    tags: labels,
    primary_keyword,
    target_length,
    style,
    tone,
    source: Type.Optional(
      Type.String({ minLength: 1, maxLength: 60, pattern: '\\S', default: 'api', description: 'Where it comes from.' })
    ),
    strict: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'true refuses what nearly repeats an open topic or a published post.'
      })
    )
  },
  { ...strict, title: 'NewTopic' }
)

function proposeRoute(app: App, topics: Topics): void {
  const schema = {
    operationId: 'proposeTopic',
    tags,
    summary: 'Propose a topic; it waits for a decision while the gate topic_decision is on',
    body: ProposeTopic,
    response: { 201: Topic }
  }
  const documentation = {
    errors: ['TOPIC_QUEUE_FULL', 'DUPLICATE_TOPIC'],
    responseHeaders: { Location: 'Path of the topic.' }
  } as const
  app.post('/api/topics', { config: { access: writes, documentation }, schema }, async (request, reply) => {
    const { source = 'api', strict = false, ...proposal } = request.body
    const made = await topics.propose(proposal, { actor: principalOf(request).client_id, source, strict })
    return reply.code(201).header('location', `/api/topics/${made.task_id}`).send(made)
  })
}

function getRoute(app: App, topics: Topics): void {
  const schema = {
    operationId: 'getTopic',
    tags,
    summary: 'One topic with what it was proposed with',
    params: TaskParameters,
    response: { 200: Topic }
  }
  const config = { ...reads, documentation: { errors: ['AMBIGUOUS_ID'] } } as const
  app.get('/api/topics/:task_id', { config, schema }, async request => topics.show(request.params.task_id))
}

function approveRoute(app: App, topics: Topics): void {
  const schema = {
    operationId: 'approveTopic',
    tags,
    summary: 'Approve a topic: it enters the pipeline',
    params: TaskParameters,
    body: Type.Object(
      { feedback: words('Feedback for the writer, stored with the task.') },
      { ...strict, examples: [{ feedback: 'Name the sources' }, {}] }
    ),
    response: { 200: Topic }
  }
  app.post('/api/topics/:task_id/approve', { config: decides, schema }, async request =>
    topics.approve(request.params.task_id, {
      actor: principalOf(request).client_id,
      reason: request.body.feedback ?? null
    })
  )
}

function rejectRoute(app: App, topics: Topics): void {
  const schema = {
    operationId: 'rejectTopic',
    tags,
    summary: 'Reject a topic; its task ends dismissed',
    params: TaskParameters,
    body: Type.Object(
      { reason: words('Why, for the history.') },
      { ...strict, examples: [{ reason: 'We had that' }, {}] }
    ),
    response: { 200: Topic }
  }
  app.post('/api/topics/:task_id/reject', { config: decides, schema }, async request =>
    topics.reject(request.params.task_id, {
      actor: principalOf(request).client_id,
      reason: request.body.reason ?? null
    })
  )
}
