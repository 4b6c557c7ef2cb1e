import type { Db } from '#core'
import { firstPage } from '#lists'
import type { EventLog } from '#plugins/events'
import { countEvents, listEvents, listEventsAfter, type PipelineEvent } from './repository/events.ts'

/** The history of tasks, as `galley events` shows it. */
export const pipelineLog = (db: Db): EventLog<PipelineEvent> => ({
  list: async (filter, limit) => (await listEvents(db, filter, firstPage(limit))).slice(0, limit),
  count: filter => countEvents(db, filter),
  after: (filter, id, limit) => listEventsAfter(db, filter, id, limit),
  typeOf: ({ type }) => type,
  aboutOf: ({ task_id, from, to }) => `${task_id}${from === to || to === null ? '' : ` ${from ?? 'new'} → ${to}`}`
})
