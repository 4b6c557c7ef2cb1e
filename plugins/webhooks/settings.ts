import { setting, Type } from '#core'
import { ecdsaKey, emailKey } from './signatures.ts'

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

const publicKey = (describe: string) =>
  setting(
    Type.Refine(
      Type.String({ maxLength: 1000 }),
      text => text === '' || isEcdsaKey(text),
      () => 'must be the public key that the provider shows: SPKI of an elliptic curve in base64'
    ),
    { default: '', describe }
  )

function isEcdsaKey(text: string): boolean {
  try {
    return ecdsaKey(text).asymmetricKeyType === 'ec'
  } catch {
    return false
  }
}

const whole = (minimum: number, maximum: number, byDefault: number, describe: string) =>
  setting(Type.Integer({ minimum, maximum }), { default: byDefault, describe })

export const webhookSettings = {
  alertmanager_webhook_secret: secret('HMAC secret of the alert router; empty: its webhooks are refused.'),
  payments_webhook_secret: secret('HMAC secret of the payment provider; empty: its webhook is refused.'),
  email_webhook_secret: secret(
    'Standard Webhooks secret (whsec_…) of the mail provider; empty: its webhook is refused.',
    text => emailKey(text).length
  ),
  stripe_webhook_secret: secret('Signing secret (whsec_…) of the endpoint at Stripe; empty: its webhook is refused.'),
  sendgrid_webhook_public_key: publicKey(
    "Verification key of SendGrid's signed event webhook; empty: its webhook is refused."
  ),
  webhook_body_days: whole(1, 400, 30, 'Days for which the bodies of webhooks are stored, to be shown and replayed.'),
  webhook_bodies_max_mb: whole(
    1,
    100_000,
    512,
    'Room for the bodies of webhooks, before compression. Of more the oldest are removed.'
  ),
  alert_reminder_minutes: whole(
    1,
    43_200,
    60,
    'A group of alerts that goes on firing is told again after so many minutes at the soonest.'
  )
}
