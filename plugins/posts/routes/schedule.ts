import type { Static } from 'typebox'
import { access, ConflictError, InputError, principalOf, sendPage } from '#core'
import type { Parts } from '../parts.ts'
import { ScheduleAnswer, SchedulePage, ScheduleQuery, ScheduleRequest } from '../schedule-schemas.ts'
import { type App, postPage } from './app.ts'

type Body = Static<typeof ScheduleRequest>

const tags = ['schedule']
const ofOne = ['when', 'publish_at', 'in'] as const
const ofBatch = ['count', 'interval', 'start'] as const
const onlyBatch = ['quiet_hours', 'ordered_by', 'dry_run'] as const

export function scheduleRoutes(app: App, { schedule }: Parts): void {
  listSchedule(app, schedule)
  changeSchedule(app, schedule)
}

function listSchedule(app: App, schedule: Parts['schedule']): void {
  const schema = {
    ...{ operationId: 'listSchedule', tags, summary: 'Publish slots in their order' },
    ...{ querystring: ScheduleQuery, response: { 200: SchedulePage } }
  }
  app.get('/api/schedule', { config: { access: access.bearer('api:read') }, schema }, async (request, reply) =>
    sendPage(request, reply, await schedule.list(request.query.all ?? false, postPage(request.query)))
  )
}

function changeSchedule(app: App, schedule: Parts['schedule']): void {
  const schema = {
    ...{ operationId: 'schedule', tags, summary: 'Give one post a slot, or a batch of posts a slot each' },
    ...{ body: ScheduleRequest, response: { 200: ScheduleAnswer } }
  }
  app.post('/api/schedule', { config: { access: access.bearer('api:write') }, schema }, async request => {
    const { body } = request
    const by = { actor: principalOf(request).client_id }
    if (body.post_id === undefined) return giveBatch(schedule, body, by)
    refuse(body, [...ofBatch, ...onlyBatch], 'belongs to a batch, which names no post_id')
    if (body.when !== undefined && body.publish_at !== undefined)
      throw new InputError({ publish_at: 'is the same as when: give one of them' })
    const slot = { when: body.when ?? body.publish_at, in: body.in }
    return schedule.at(body.post_id, slot, { ...by, force: body.force ?? false })
  })
}

async function giveBatch(schedule: Parts['schedule'], body: Body, by: { actor: string }) {
  const { count, interval, start, quiet_hours, ordered_by = 'approved_at', force = false, dry_run = false } = body
  if (count === undefined || interval === undefined || start === undefined) {
    const missing = ofBatch.filter(name => body[name] === undefined)
    // Nothing of a batch is given: one post was meant.
    const needed = missing.length === ofBatch.length ? ['post_id'] : missing
    throw new InputError(Object.fromEntries(needed.map(name => [name, 'is required'])))
  }
  refuse(body, ofOne, 'belongs to one post: give post_id')
  const answer = await schedule.batch({ count, interval, start, quiet_hours, ordered_by, force, dry_run }, by)
  if (!answer.ok) throw new ConflictError(answer.detail)
  return answer
}

function refuse(body: Body, names: readonly (keyof Body)[], fault: string): void {
  const given = names.filter(name => body[name] !== undefined)
  if (given.length > 0) throw new InputError(Object.fromEntries(given.map(name => [name, fault])))
}
