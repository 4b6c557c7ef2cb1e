import type { FastifyRequest } from 'fastify'
import {
  type App,
  access,
  ConflictError,
  type FastifyPluginAsyncTypebox,
  type FieldErrors,
  InputError,
  principalOf,
  type Static,
  validationFields
} from '#core'
import { pageRequest, sendPage } from '#lists'
import type { Schedule } from './schedule.ts'
import { SchedulePage, ScheduleQuery, ScheduleRequest, ScheduleResult } from './schemas.ts'
import { byForce } from './slot-changes.ts'

type Body = Static<typeof ScheduleRequest>

const tags = ['schedule']
const ofOne = ['when', 'publish_at', 'in'] as const
const ofBatch = ['count', 'interval', 'start'] as const
const onlyBatch = ['quiet_hours', 'ordered_by', 'dry_run'] as const
const texted = [...ofOne, 'interval', 'start', 'quiet_hours'] as const

/** The slots over REST. */
export const scheduleRoutes =
  (schedule: Schedule): FastifyPluginAsyncTypebox =>
  async app => {
    listSchedule(app, schedule)
    changeSchedule(app, schedule)
  }

function listSchedule(app: App, schedule: Schedule): void {
  const schema = {
    operationId: 'listSchedule',
    tags,
    summary: 'Publish slots in their order',
    querystring: ScheduleQuery,
    response: { 200: SchedulePage }
  }
  app.get('/api/schedule', { config: { access: access.bearer('api:read') }, schema }, async (request, reply) => {
    const { all = false, ...query } = request.query
    // A cursor holds the slot, as PostgreSQL writes it, and the id.
    const page = pageRequest(query, ['timestamp', 'uuid'], ['schedule', all])
    return sendPage(request, reply, await schedule.list(all, page))
  })
}

function changeSchedule(app: App, schedule: Schedule): void {
  const schema = {
    operationId: 'schedule',
    tags,
    summary: 'Give one post a slot, or a batch of posts a slot each',
    body: ScheduleRequest,
    response: { 200: ScheduleResult }
  }
  const config = {
    access: access.bearer('api:write'),
    documentation: { errors: ['NOT_FOUND', 'CONFLICT', 'AMBIGUOUS_ID', 'DUPLICATE_CONTENT', 'NICHE_REQUIRED'] }
  } as const
  // What the schema finds is reported with what it cannot know.
  app.post('/api/schedule', { config, schema, attachValidation: true }, async request => {
    const { body } = request
    requireValidBody(request, schedule)
    const by = { actor: principalOf(request).client_id }
    if (body.post_id === undefined) return scheduleBatch(schedule, body, by)
    const slot = { when: body.when, publish_at: body.publish_at, in: body.in }
    return schedule.at(body.post_id, slot, byForce(by, body.force ?? false))
  })
}

async function scheduleBatch(schedule: Schedule, body: Body, by: { actor: string }) {
  const { count = 0, interval = '', start = '', quiet_hours } = body
  const { ordered_by = 'approved_at', force: replacesSlots = false, dry_run = false } = body
  const answer = await schedule.batch({ count, interval, start, quiet_hours, ordered_by, replacesSlots, dry_run }, by)
  if (!answer.ok) throw new ConflictError(answer.detail)
  return answer
}

/** @throws InputError naming every fault of the body, whatever finds it. */
function requireValidBody(request: FastifyRequest, schedule: Schedule): void {
  const { body } = request
  const own = typeof body === 'object' && body !== null && !Array.isArray(body) ? bodyFaults(body, schedule) : {}
  const faults = request.validationError === undefined ? own : { ...own, ...validationFields(request) }
  if (Object.keys(faults).length > 0) throw new InputError(faults)
}

/** What is wrong with a body whose fields may be of any type. */
function bodyFaults(body: Body, schedule: Schedule): FieldErrors {
  const texts = Object.fromEntries(texted.flatMap(name => (typeof body[name] === 'string' ? [[name, body[name]]] : [])))
  return { ...combinationFaults(body), ...schedule.faults(texts) }
}

function combinationFaults(body: Body): FieldErrors {
  const isGiven = (name: keyof Body) => body[name] !== undefined
  const all = (names: readonly (keyof Body)[], fault: string) => Object.fromEntries(names.map(name => [name, fault]))
  if (isGiven('post_id')) {
    const both = isGiven('when') && isGiven('publish_at')
    return {
      ...all([...ofBatch, ...onlyBatch].filter(isGiven), 'belongs to a batch, which names no post_id'),
      ...(both ? { publish_at: 'is the same as when: give one of them' } : {})
    }
  }
  const missing = ofBatch.filter(name => !isGiven(name))
  // Nothing of a batch is given: one post was meant.
  if (missing.length === ofBatch.length) return { post_id: 'is required' }
  return { ...all(missing, 'is required'), ...all(ofOne.filter(isGiven), 'belongs to one post: give post_id') }
}
