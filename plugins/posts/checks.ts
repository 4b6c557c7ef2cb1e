import { type Check, type Db, degraded, ok, skipped } from '#core'
import { pluralized } from '#text/plural'
import { overdueSeconds } from './contract/slots.ts'
import { listOverdue } from './repository/lateness.ts'
import { countScheduled } from './repository/slots.ts'
import type { Scheduler } from './scheduler.ts'

interface CheckDeps {
  db: Db
  scheduler: Pick<Scheduler, 'isRegistered'>
  isNicheGated(): boolean
}

const maxShown = 5

/** What `galley doctor` asks of the posts. */
export const postChecks = ({ db, scheduler, isNicheGated }: CheckDeps): Check[] => [
  {
    name: 'overdue slots',
    async run() {
      if (!scheduler.isRegistered()) return withoutScheduler(await countScheduled(db))
      const overdue = await listOverdue(db, isNicheGated(), overdueSeconds, maxShown)
      const [longest] = overdue
      if (longest === undefined) return ok('none')
      const first = overdue.map(({ slug, published_at }) => `${slug} (${published_at})`)
      return degraded(
        `Past the slot and not public: ${pluralized(longest.total, 'scheduled post')}, first ${first.join(', ')}.`,
        'Start the publisher: galley serve, or galley worker beside the API.'
      )
    }
  }
]

function withoutScheduler(slots: number) {
  if (slots === 0) return skipped('the plugin schedule is off: no post gets a slot')
  return degraded(
    `The plugin schedule is off: ${pluralized(slots, 'scheduled post')} will not go out at the slot.`,
    'Turn it on (galley plugins enable schedule), or publish or archive the posts (galley posts list --status scheduled).'
  )
}
