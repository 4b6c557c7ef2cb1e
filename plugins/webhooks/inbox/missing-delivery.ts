import { NotFoundError } from '#core'

/** @throws NotFoundError always */
export function missingDelivery(id: string): never {
  throw new NotFoundError(`There is no webhook ${id}: "galley webhooks list" shows those that came.`)
}
