import type { Queryable } from '#core'
import type { TargetStatus } from './index.ts'
import { listStatuses } from './repository.ts'
import type { Targets } from './targets.ts'

/** How it stands with every registered target, those never notified of anything too. */
export async function readStatuses(db: Queryable, targets: Targets): Promise<TargetStatus[]> {
  const stored = new Map((await listStatuses(db)).map(status => [status.target, status]))
  return targets.all().map(target => ({
    ...(stored.get(target.name) ?? { target: target.name, ...neverNotified }),
    is_set_up: target.isSetUp()
  }))
}

const neverNotified = {
  waiting: 0,
  parked: 0,
  waits_since: null,
  failures: 0,
  last_status: null,
  last_error: null,
  last_sent_at: null,
  last_success_at: null
}
