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

/** The same items in an order that the seed decides. */
export function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const result = [...items]
  let state = seed
  for (let at = result.length - 1; at > 0; at--) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    const other = state % (at + 1)
    const one = result[at] as Item
    const two = result[other] as Item
    result[at] = two
    result[other] = one
  }
  return result
}
