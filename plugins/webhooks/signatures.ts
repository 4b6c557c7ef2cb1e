import { createHmac, createPublicKey, timingSafeEqual, verify as verifySignature } from 'node:crypto'
import { AuthError } from '#core'
import type { WebhookRequest, WebhookSource } from './index.ts'

type Verify = WebhookSource['verify']

/** `X-Signature-256: sha256=<hex>`, or Grafana's `X-Grafana-Alerting-Signature: <hex>`. */
export const verifyAlert: Verify = (secret, request) => {
  const named = headerOf(request, 'x-signature-256')
  const sent =
    named === undefined ? headerOf(request, 'x-grafana-alerting-signature') : /^sha256=(.*)$/.exec(named)?.[1]
  requireSame(sent, hmac(secret, request.body, 'hex'), 'X-Signature-256')
}

/** `X-Signature: <hex>`. */
export const verifyPayment: Verify = (secret, request) =>
  requireSame(headerOf(request, 'x-signature'), hmac(secret, request.body, 'hex'), 'X-Signature')

const toleranceSeconds = 300

/** The key in a secret of the form `whsec_<base64>`. */
export const emailKey = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')

/** A header of Standard Webhooks, by its own name or by that of Svix. */
export const standardHeader = (request: WebhookRequest, name: string): string | undefined =>
  headerOf(request, `webhook-${name}`) ?? headerOf(request, `svix-${name}`)

/** Standard Webhooks: `webhook-id`, `webhook-timestamp`, `webhook-signature`; the `svix-` names too. */
export const verifyStandard: Verify = (secret, request, now) => {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(name => standardHeader(request, name))
  // Without an id nobody could tell a delivery that comes again.
  if (!id || timestamp === undefined || signatures === undefined)
    throw refused('webhook-id, webhook-timestamp and webhook-signature')
  requireRecent(timestamp, now, 'webhook-timestamp')
  const expected = hmac(emailKey(secret), signedBody(`${id}.${timestamp}.`, request), 'base64')
  const candidates = signatures.split(' ').filter(item => item.startsWith('v1,'))
  if (!candidates.some(candidate => isSame(candidate.slice(3), expected))) throw refused('webhook-signature')
}

/** Stripe's `Stripe-Signature: t=<seconds>,v1=<hex>`, with several `v1` while a secret is rolled. */
export const verifyStripe: Verify = (secret, request, now) => {
  const parts = (headerOf(request, 'stripe-signature') ?? '').split(',').map(part => part.trim())
  const timestamp = parts.find(part => part.startsWith('t='))?.slice(2)
  if (timestamp === undefined) throw refused('Stripe-Signature')
  requireRecent(timestamp, now, 't= in Stripe-Signature')
  const expected = hmac(secret, signedBody(`${timestamp}.`, request), 'hex')
  const candidates = parts.filter(part => part.startsWith('v1='))
  if (!candidates.some(candidate => isSame(candidate.slice(3), expected))) throw refused('Stripe-Signature')
}

const sendgridHeader = 'x-twilio-email-event-webhook'

/**
 * SendGrid's signed event webhook: ECDSA over the timestamp and the body, with the public key that its page shows. Its
 * timestamp is signed but not bounded, because what it retries for a day may carry the first one.
 */
export const verifySendgrid: Verify = (publicKey, request) => {
  const timestamp = headerOf(request, `${sendgridHeader}-timestamp`)
  const signature = headerOf(request, `${sendgridHeader}-signature`)
  if (timestamp === undefined || signature === undefined || !isSigned(publicKey, timestamp, signature, request))
    throw refused(`${sendgridHeader}-signature and -timestamp`, 'public key')
}

/** The public key of SendGrid's page: SPKI in base64. @throws Error for what is none */
export const ecdsaKey = (text: string) =>
  createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })

function isSigned(publicKey: string, timestamp: string, signature: string, request: WebhookRequest): boolean {
  try {
    const signed = signedBody(timestamp, request)
    return verifySignature('sha256', signed, ecdsaKey(publicKey), Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}

function headerOf({ headers }: WebhookRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

const signedBody = (prefix: string, { body }: WebhookRequest): Buffer => Buffer.concat([Buffer.from(prefix), body])

const hmac = (secret: string | Buffer, body: Buffer, encoding: 'hex' | 'base64'): string =>
  createHmac('sha256', secret).update(body).digest(encoding)

function requireRecent(timestamp: string, now: Date, name: string): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new AuthError(
      `The webhook's timestamp is missing or unreadable: ${name} must be whole seconds since 1970, as its sender signed them.`
    )
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) <= toleranceSeconds) return
  throw new AuthError(
    `The webhook's timestamp is more than ${toleranceSeconds} seconds away from now: check the sender's clock.`
  )
}

function requireSame(sent: string | undefined, expected: string, name: string): void {
  if (sent === undefined || !isSame(sent.toLowerCase(), expected)) throw refused(name)
}

function isSame(sent: string, expected: string): boolean {
  const one = Buffer.from(sent)
  const other = Buffer.from(expected)
  return one.length === other.length && timingSafeEqual(one, other)
}

const refused = (name: string, key = 'shared secret'): AuthError =>
  new AuthError(`The webhook's signature is missing or wrong: check ${name} and the ${key}.`)
