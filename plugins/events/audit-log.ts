import type { Db } from '#core'
import { firstPage } from '#lists'
import type { EventLog, EventLogFilter } from './index.ts'
import { type AuditEntry, countAudit, listAudit, listAuditAfter } from './repository.ts'

const filterOf = ({ type, since }: EventLogFilter) => ({ event_type: type, since })

/** The audit log, as `galley events --audit` shows it. */
export const auditLog = (db: Db): EventLog<AuditEntry> => ({
  list: async (filter, limit) => (await listAudit(db, filterOf(filter), firstPage(limit))).slice(0, limit),
  count: filter => countAudit(db, filterOf(filter)),
  after: (filter, id, limit) => listAuditAfter(db, filterOf(filter), id, limit),
  typeOf: ({ event_type }) => event_type,
  aboutOf: ({ details }) =>
    Object.entries(details)
      .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(' ')
})
