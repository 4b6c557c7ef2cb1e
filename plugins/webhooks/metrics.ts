import type { Db, Metric } from '#core'
import { readBacklog } from './repository/deliveries.ts'

export const webhookMetrics = (db: Db): Metric[] => [
  {
    name: 'webhooks_unhandled',
    help: 'Webhooks that wait to be handled, and those that were given up.',
    type: 'gauge',
    read: async () => {
      const { waiting, parked } = await readBacklog(db)
      return [
        { labels: { state: 'waiting' }, value: waiting },
        { labels: { state: 'parked' }, value: parked }
      ]
    }
  }
]
