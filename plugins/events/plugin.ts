import { CONTRACT, definePlugin, SettingsStoreService } from '#core'
import { auditLog } from './audit-log.ts'
import { EventLogsService } from './index.ts'
import { createEventLogs } from './logs.ts'
import { auditRoutes } from './routes.ts'

export default definePlugin({
  name: 'events',
  contract: CONTRACT,
  describe: 'The audit log, and galley events, which shows it and the history of the pipeline',
  needs: { store: SettingsStoreService },
  provides: { logs: EventLogsService },
  setup({ needs, db, now }) {
    const logs = createEventLogs(auditLog(db))
    return {
      services: { logs },
      routes: auditRoutes({ db, timeZone: () => needs.store.value('operator_timezone') }),
      commands: {
        events: {
          describe: 'Show what happened in the pipeline, or with --audit the audit log',
          loadCommand: async () => (await import('./commands/events.ts')).eventsCommand(logs, now)
        }
      }
    }
  }
})
