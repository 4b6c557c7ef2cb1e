import { CONTRACT, definePlugin, service } from '../contract/plugin.ts'
import type { AuditFilter } from './repository.ts'

/** What every event of a log has, beside its own fields. `id` grows with time. */
export interface LoggedEvent {
  readonly id: number
  readonly at: string
  readonly actor: string
}

export type EventLogFilter = Pick<AuditFilter, 'since'> & { type?: string | undefined }

/** A history that `galley events` shows. */
export interface EventLog<Event extends LoggedEvent = LoggedEvent> {
  /** Newest first. */
  list(filter: EventLogFilter, limit: number): Promise<readonly Event[]>
  count(filter: EventLogFilter): Promise<number>
  /** Those with a higher id, oldest first. */
  after(filter: EventLogFilter, id: number, limit: number): Promise<readonly Event[]>
  typeOf(event: Event): string
  /** What it is about, in a few words. */
  aboutOf(event: Event): string
}

export interface EventLogs {
  /** The history of the pipeline, which `galley events` shows; one plugin brings it. */
  usePipeline<Event extends LoggedEvent>(log: EventLog<Event>): void
}
export const EventLogsService = service<EventLogs>('core.event_logs')

export interface EventLogRegistry extends EventLogs {
  pipeline(): EventLog | undefined
}

export function createEventLogs(): EventLogRegistry {
  let pipeline: EventLog | undefined
  return {
    pipeline: () => pipeline,
    usePipeline(log) {
      if (pipeline !== undefined) throw new TypeError('Another plugin brings the history of the pipeline already.')
      pipeline = log as unknown as EventLog
    }
  }
}

/** The built-in that takes the pipeline's history for `galley events`. */
export const eventLogsPlugin = (logs: EventLogs) =>
  definePlugin({
    name: 'event-logs',
    contract: CONTRACT,
    describe: 'The histories that galley events shows',
    provides: { logs: EventLogsService },
    setup: () => ({ services: { logs } })
  })
