import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { AuthError } from '#core'

/** Request headers, lower-case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The sender's id of a delivery, by which a redelivery is recognised; null when it sends none. */
export type DeliveryId = string | null

/** Checks a signature over the raw body. @throws AuthError when it is missing or wrong */
export type Verify = (secret: string, body: Buffer, headers: Headers, now: Date) => DeliveryId

/** `X-Signature-256: sha256=<hex>`, or Grafana's `X-Grafana-Alerting-Signature: <hex>`. */
export const verifyAlert: Verify = (secret, body, headers) => {
  const named = header(headers, 'x-signature-256')
  const sent = named === undefined ? header(headers, 'x-grafana-alerting-signature') : /^sha256=(.*)$/.exec(named)?.[1]
  requireSame(sent, hmac(secret, body, 'hex'), 'X-Signature-256')
  return null
}

/** `X-Signature: <hex>`. */
export const verifyPayment: Verify = (secret, body, headers) => {
  requireSame(header(headers, 'x-signature'), hmac(secret, body, 'hex'), 'X-Signature')
  return null
}

const toleranceSeconds = 300
const maxIdLength = 200

/** The key in a secret of the form `whsec_<base64>`. */
export const emailKey = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')

/** Standard Webhooks: `webhook-id`, `webhook-timestamp`, `webhook-signature`; the `svix-` names too. */
export const verifyEmail: Verify = (secret, body, headers, now) => {
  const part = (name: string) => header(headers, `webhook-${name}`) ?? header(headers, `svix-${name}`)
  const [id, timestamp, signatures] = [part('id'), part('timestamp'), part('signature')]
  if (id === undefined || timestamp === undefined || signatures === undefined)
    throw refused('webhook-id, webhook-timestamp and webhook-signature')
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new AuthError(
      `The webhook's timestamp is more than ${toleranceSeconds} seconds away from now: check the sender's clock.`
    )
  }
  const expected = hmac(emailKey(secret), Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]), 'base64')
  const candidates = signatures
    .split(' ')
    .filter(item => item.startsWith('v1,'))
    .map(item => item.slice(3))
  if (!candidates.some(candidate => same(candidate, expected))) throw refused('webhook-signature')
  // A longer id does not fit the unique index.
  return id.length <= maxIdLength ? id : createHash('sha256').update(id).digest('hex')
}

function header(headers: Headers, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

const hmac = (secret: string | Buffer, body: Buffer, encoding: 'hex' | 'base64'): string =>
  createHmac('sha256', secret).update(body).digest(encoding)

function requireSame(sent: string | undefined, expected: string, name: string): void {
  if (sent === undefined || !same(sent.toLowerCase(), expected)) throw refused(name)
}

function same(sent: string, expected: string): boolean {
  const [one, other] = [Buffer.from(sent), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

const refused = (name: string): AuthError =>
  new AuthError(`The webhook's signature is missing or wrong: check ${name} and the shared secret.`)
