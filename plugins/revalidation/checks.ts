import { type Check, type Db, degraded, ok, skipped } from '#core'
import { pluralized } from '#text/plural'
import type { TargetStatus } from './index.ts'
import { readStatuses } from './statuses.ts'
import type { Targets } from './targets.ts'

/** Waiting for longer than this is no short restart of a front end. */
const maxWaitMs = 10 * 60_000

export const revalidationChecks = ({ db, targets, now }: { db: Db; targets: Targets; now: () => Date }): Check[] => [
  {
    name: 'revalidation',
    async run() {
      const inUse = targets.all().filter(target => target.isSetUp())
      if (inUse.length === 0) return skipped('no front end, CDN or hub is notified of changes')
      const names = inUse.map(({ name }) => name)
      const statuses = (await readStatuses(db, targets)).filter(({ target }) => names.includes(target))
      const faults = [
        ...inUse.flatMap(target => target.fault() ?? []),
        ...statuses.flatMap(status => lateness(status, now()) ?? [])
      ]
      const retried = statuses.flatMap(status => retries(status) ?? [])
      if (faults.length === 0 && retried.length > 0) return ok(retried.join(' '))
      if (faults.length === 0) return ok(`${names.join(', ')}: notified of every change`)
      return degraded(
        faults.join(' '),
        'Correct the cause, see galley revalidation status, then galley revalidation retry.'
      )
    }
  }
]

function lateness({ target, waiting, parked, waits_since, last_error }: TargetStatus, now: Date): string | null {
  const isLate = waits_since !== null && now.getTime() - Date.parse(waits_since) > maxWaitMs
  if (parked === 0 && !isLate) return null
  return `The ${target} was not notified of ${pluralized(waiting + parked, 'change')} since ${waits_since}: ${last_error ?? 'it was not tried yet.'}`
}

const retries = ({ target, waiting, last_error }: TargetStatus): string | null =>
  waiting === 0 || last_error === null
    ? null
    : `The ${target} was not notified of ${pluralized(waiting, 'change')} yet, and is tried again: ${last_error}`
