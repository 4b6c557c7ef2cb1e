import { Type } from 'typebox'
import { CONTRACT, definePlugin, setting } from '#core'
import { webhookRoutes } from './routes.ts'
import { mailKey } from './signatures.ts'

/** A shorter one can be guessed from a single signed delivery. */
const fewestBytes = 16

const secret = (describe: string, bytesOf = (text: string) => Buffer.byteLength(text)) =>
  setting(
    Type.Refine(
      Type.String({ maxLength: 300 }),
      text => text === '' || bytesOf(text) >= fewestBytes,
      () => `must be at least ${fewestBytes} bytes of random text, such as openssl rand -base64 32 gives`
    ),
    { default: '', secret: true, describe }
  )

export default definePlugin({
  name: 'webhooks',
  contract: CONTRACT,
  describe: 'Signed webhooks from other systems, stored once',
  settings: {
    alertmanager_webhook_secret: secret('HMAC secret of the alert router; empty: its webhooks are refused.'),
    payments_webhook_secret: secret('HMAC secret of the payment provider; empty: its webhook is refused.'),
    email_webhook_secret: secret(
      'Standard Webhooks secret (whsec_…) of the mail provider; empty: its webhook is refused.',
      text => mailKey(text).length
    )
  },
  setup: ({ settings, db, emit, now }) => ({
    services: {},
    routes: webhookRoutes({ db, emit, now, secretOf: key => settings.get(key) })
  })
})
