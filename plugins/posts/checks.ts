import { counted } from '#cli'
import { type Check, type Db, degraded, ok } from '#core'
import { listOverdue } from './repository/lists.ts'

/** What `galley doctor` asks of the posts. */
export const postChecks = (db: Db): Check[] => [
  {
    name: 'overdue slots',
    async run() {
      const overdue = await listOverdue(db)
      if (overdue.length === 0) return ok('none')
      const first = overdue.slice(0, 5).map(({ slug, published_at }) => `${slug} (${published_at})`)
      return degraded(
        `Past the slot and not public: ${counted(overdue.length, 'scheduled post')}, first ${first.join(', ')}.`,
        'Start the publisher: galley serve, or galley worker beside the API.'
      )
    }
  }
]
