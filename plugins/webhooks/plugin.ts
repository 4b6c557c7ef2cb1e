import { CONTRACT, definePlugin, optional } from '#core'
import { NotifyService } from '#plugins/notify'
import { AlertReceived } from './index.ts'
import { alertNotice } from './notices.ts'
import { webhookRoutes } from './routes.ts'
import { webhookSettings } from './settings.ts'

export default definePlugin({
  name: 'webhooks',
  contract: CONTRACT,
  describe: 'Signed webhooks from other systems, stored once',
  needs: { notify: optional(NotifyService) },
  settings: webhookSettings,
  setup: ({ needs: { notify }, settings, db, emit, now }) => ({
    services: {},
    routes: webhookRoutes({ db, emit, now, secretOf: key => settings.get(key) }),
    subscriptions: notify === undefined ? [] : [notify.report(AlertReceived, 'alert', alertNotice)]
  })
})
