import { CONTRACT, definePlugin, optional } from '#core'
import { NotifyService } from '#plugins/notify'
import { webhookChecks } from './checks.ts'
import { eraseAddress } from './inbox/erasure.ts'
import { WebhooksService } from './index.ts'
import { webhookMetrics } from './metrics.ts'
import { createParts } from './parts.ts'
import { revenueRoutes } from './payments/routes.ts'
import { findEmail } from './repository/subscriber-events.ts'
import { webhookRoutes } from './routes.ts'
import { webhookSettings } from './settings.ts'

export default definePlugin({
  name: 'webhooks',
  contract: CONTRACT,
  describe: 'Signed webhooks from other systems, stored once and handled in order',
  needs: { notify: optional(NotifyService) },
  provides: { webhooks: WebhooksService },
  settings: webhookSettings,
  setup({ needs: { notify }, ...context }) {
    const { db, now } = context
    const parts = createParts({ ...context, notify })
    const { sources } = parts
    return {
      services: { webhooks: { addSource: sources.add, findEmail, eraseAddress } },
      routes: async app => {
        await app.register(webhookRoutes({ ...parts, now }))
        await app.register(revenueRoutes({ db, now }))
      },
      commands: {
        webhooks: {
          describe: 'What other systems sent: look at it, handle it again, and sign for those that cannot',
          load: async () => (await import('./commands/webhooks.ts')).webhookCommands({ ...parts, ...context })
        }
      },
      jobs: parts.jobs,
      checks: webhookChecks({ db, sources, now }),
      metrics: webhookMetrics(db)
    }
  }
})
