import type { Db } from '../../core/contract/database.ts'
import { deleteOldAudit, recordAudit } from '../../core/db/audit.ts'
import { CONTRACT, definePlugin, job, jobType, setting, Type } from '../../core/index.ts'
import type { CheckResult, Report } from './report.ts'
import { hasHeartbeatSince, lockHeartbeat } from './repository.ts'

/** The audit entry of each look, as the specification names it. */
export const heartbeatEvent = 'brain.cycle_heartbeat'

const settings = {
  brain_cycle_seconds: setting(Type.Integer({ minimum: 60, maximum: 86_400 }), {
    default: 300,
    category: 'settings',
    describe:
      'Seconds from one look of the worker at every part of the service to the next; each is a brain.cycle_heartbeat in the audit log, kept for 7 days.'
  })
}

/** It is woken every minute, not to the second: what is nearly due is due. */
const slackSeconds = 30

/** What an examination of the service found, as far as the audit log has it. */
export type HeartbeatReport = Pick<Report, 'status' | 'score'> & {
  readonly checks: readonly Pick<CheckResult, 'name' | 'status'>[]
}

interface HeartbeatDeps {
  db: Db
  everySeconds(): number
  report(): Promise<HeartbeatReport>
}

/** Writes what the checks of `galley doctor` say into the audit log: of all workers one at a time, and no more often than it is set to. */
export function createHeartbeat({ db, everySeconds, report }: HeartbeatDeps): () => Promise<void> {
  const isDue = async (on: Pick<Db, 'query'>) =>
    !(await hasHeartbeatSince(on, heartbeatEvent, Math.max(0, everySeconds() - slackSeconds)))
  return async () => {
    if (!(await isDue(db))) return
    const { status, score, checks } = await report()
    // What a check found may hold words of others: the status is enough to alert on, and doctor tells the rest.
    const probe_status = Object.fromEntries(checks.map(check => [check.name, check.status]))
    await db.transaction(async tx => {
      await lockHeartbeat(tx)
      if (!(await isDue(tx))) return
      await recordAudit(tx, { event_type: heartbeatEvent, actor: 'brain', details: { status, score, probe_status } })
      await deleteOldAudit(tx, heartbeatEvent)
    })
  }
}

const Heartbeat = jobType<Record<never, never>>('health.heartbeat')

/** The worker's own look at everything. One that fails is not tried again: the next is a minute away. */
export const heartbeatPlugin = (report: () => Promise<HeartbeatReport>) =>
  definePlugin({
    name: 'heartbeat',
    contract: CONTRACT,
    describe: 'Writes now and then into the audit log what the checks of galley doctor say',
    settings,
    setup({ db, settings }) {
      const beat = createHeartbeat({ db, everySeconds: () => settings.get('brain_cycle_seconds'), report })
      return { services: {}, jobs: [job(Heartbeat, beat, { cron: '* * * * *', retries: 1, timeoutSeconds: 120 })] }
    }
  })
