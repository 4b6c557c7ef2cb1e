import { service } from '#core'

/** What every event of a log has, beside its own fields. `id` grows with time. */
export interface LoggedEvent {
  readonly id: number
  readonly at: string
  readonly actor: string
}

/** Which events of a history are read. */
export interface EventLogFilter {
  type?: string | undefined
  /** Only events from this moment on. */
  since?: Date | undefined
}

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

/** The histories that `galley events` shows. */
export interface EventLogs {
  /**
   * The history of the pipeline, which `galley events` shows; one plugin brings it.
   * @throws TypeError when another plugin brought one.
   */
  registerPipelineLog<Event extends LoggedEvent>(log: EventLog<Event>): void
}
export const EventLogsService = service<EventLogs>('events.logs')
