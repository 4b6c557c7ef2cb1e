import { setting, Type } from '#core'
import { emailKey } from './signatures.ts'

/** A shorter secret can be guessed from a single signed delivery. */
const minSecretBytes = 16

const secret = (describe: string, bytesOf = (text: string) => Buffer.byteLength(text)) =>
  setting(
    Type.Refine(
      Type.String({ maxLength: 300 }),
      text => text === '' || bytesOf(text) >= minSecretBytes,
      () => `must be at least ${minSecretBytes} bytes of random text, such as openssl rand -base64 32 gives`
    ),
    { default: '', isSecret: true, describe }
  )

export const webhookSettings = {
  alertmanager_webhook_secret: secret('HMAC secret of the alert router; empty: its webhooks are refused.'),
  payments_webhook_secret: secret('HMAC secret of the payment provider; empty: its webhook is refused.'),
  email_webhook_secret: secret(
    'Standard Webhooks secret (whsec_…) of the mail provider; empty: its webhook is refused.',
    text => emailKey(text).length
  )
}
