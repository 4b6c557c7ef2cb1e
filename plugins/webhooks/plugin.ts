import { CONTRACT, definePlugin } from '#core'
import { webhookRoutes } from './routes.ts'
import { webhookSettings } from './settings.ts'

export default definePlugin({
  name: 'webhooks',
  contract: CONTRACT,
  describe: 'Signed webhooks from other systems, stored once',
  settings: webhookSettings,
  setup: ({ settings, db, emit, now }) => ({
    services: {},
    routes: webhookRoutes({ db, emit, now, secretOf: key => settings.get(key) })
  })
})
