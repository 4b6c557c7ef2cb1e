import type { EventLog, EventLogs } from './index.ts'

/** The logs that there are; the pipeline's only where a plugin brings it. */
export interface KnownLogs extends EventLogs {
  readonly audit: EventLog
  pipeline(): EventLog | undefined
}

export function createEventLogs(audit: EventLog): KnownLogs {
  let pipeline: EventLog | undefined
  return {
    audit,
    pipeline: () => pipeline,
    registerPipelineLog(log) {
      if (pipeline !== undefined) throw new TypeError('Another plugin brings the history of the pipeline already.')
      pipeline = log
    }
  }
}
