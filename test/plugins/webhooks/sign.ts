import { createHmac } from 'node:crypto'

export const hex = (secret: string, body: string | Buffer) => createHmac('sha256', secret).update(body).digest('hex')

/** Headers of a Standard Webhooks delivery. */
export function standard(
  secret: string,
  body: string,
  { id = 'msg_1', at = Date.now(), prefix = 'webhook' }: { id?: string; at?: number; prefix?: string } = {}
) {
  const timestamp = String(Math.floor(at / 1000))
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { [`${prefix}-id`]: id, [`${prefix}-timestamp`]: timestamp, [`${prefix}-signature`]: `v1,${signature}` }
}
