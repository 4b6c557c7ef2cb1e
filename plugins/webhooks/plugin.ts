import { Type } from 'typebox'
import { CONTRACT, definePlugin, setting } from '#core'
import { webhookRoutes } from './routes.ts'

const secret = (describe: string) => setting(Type.String({ maxLength: 300 }), { default: '', secret: true, describe })

export default definePlugin({
  name: 'webhooks',
  contract: CONTRACT,
  describe: 'Signed webhooks from other systems, stored once',
  settings: {
    alertmanager_webhook_secret: secret('HMAC secret of the alert router; empty: its webhooks are refused.'),
    payments_webhook_secret: secret('HMAC secret of the payment provider; empty: its webhook is refused.'),
    email_webhook_secret: secret(
      'Standard Webhooks secret (whsec_…) of the mail provider; empty: its webhook is refused.'
    )
  },
  setup: ({ settings, db, emit, now }) => ({
    services: {},
    routes: webhookRoutes({ db, emit, now, secretOf: key => settings.get(key) })
  })
})
