import { type Check, type Db, degraded, ok, skipped } from '#core'
import { pluralized } from '#text/plural'
import { readBacklog } from './repository/deliveries.ts'
import type { Sources } from './sources/sources.ts'

/** What is due for longer than this is no burst. */
const maxOverdueMs = 10 * 60_000

export const webhookChecks = ({ db, sources, now }: { db: Db; sources: Sources; now: () => Date }): Check[] => [
  {
    name: 'webhooks',
    async run() {
      const open = sources.all().filter(({ secret }) => secret.value() !== '')
      const backlog = await readBacklog(db)
      const { waiting, due_since, parked } = backlog
      const unknown = backlog.sources.filter(name => sources.find(name) === undefined)
      if (unknown.length > 0)
        return degraded(
          `No plugin handles the webhooks of ${unknown.join(', ')} any more.`,
          'Add the plugin again, or leave them.'
        )
      if (parked > 0)
        return degraded(
          `${pluralized(parked, 'webhook')} could not be handled.`,
          'See galley webhooks list --state parked, correct the cause, then galley webhooks replay ID, or --since 2d --state parked for all.'
        )
      if (due_since !== null && now().getTime() - Date.parse(due_since) > maxOverdueMs)
        return degraded(
          `${pluralized(waiting, 'webhook')} waited since ${due_since} to be handled.`,
          'See galley jobs status: does a worker run?'
        )
      if (open.length === 0) return skipped('no secret of a webhook is set: all are refused')
      return ok(`open for ${open.map(({ name }) => name).join(', ')}`)
    }
  }
]
