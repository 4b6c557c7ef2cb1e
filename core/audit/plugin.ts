import { CONTRACT, definePlugin } from '../contract/plugin.ts'
import type { Db } from '../db/db.ts'
import { auditRoutes } from './routes.ts'

/** The built-in that lets clients read the audit log. What writes to it calls `recordAudit` in its own transaction. */
export const auditPlugin = (parts: { db: Db; timeZone(): string }) =>
  definePlugin({
    name: 'audit',
    contract: CONTRACT,
    describe: 'The audit log: who changed a setting, moved the schedule, rotated a key or restored a backup',
    setup: () => ({ services: {}, routes: auditRoutes(parts) })
  })
