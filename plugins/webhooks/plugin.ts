import { CONTRACT, definePlugin, optional } from '#core'
import { NotifyService } from '#plugins/notify'
import { webhookChecks } from './checks.ts'
import { createComponents } from './components.ts'
import { eraseAddress } from './inbox/erasure.ts'
import { WebhooksService } from './index.ts'
import { webhookMetrics } from './metrics.ts'
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
    const components = createComponents({ ...context, notify })
    const { sources } = components
    return {
      services: { webhooks: { addSource: sources.add, findEmail, eraseAddress } },
      routes: async app => {
        await app.register(webhookRoutes({ ...components, now }))
        await app.register(revenueRoutes({ db, now }))
      },
      commands: {
        webhooks: {
          describe: 'What other systems sent: look at it, handle it again, and sign for those that cannot',
          load: async () => (await import('./commands/webhooks.ts')).webhookCommands({ ...components, ...context })
        }
      },
      jobs: components.jobs,
      checks: webhookChecks({ db, sources, now }),
      metrics: webhookMetrics(db)
    }
  }
})
