import { ConflictError, type Db } from '#core'
import {
  type DeliveryFilter,
  type DeliveryView,
  findDelivery,
  replayMatching,
  replayOne,
  resolveDelivery
} from '../repository/deliveries.ts'
import { missingDelivery } from './missing-delivery.ts'
import type { Waker } from './waker.ts'

/** Deliveries that are handled again. */
export interface Replays {
  /** @throws NotFoundError; ConflictError when its body was removed, or it waits already */
  one(id: string): Promise<DeliveryView>
  /** All that match and whose bodies are there. */
  matching(filter: DeliveryFilter): Promise<{ replayed: number; without_body: number }>
}

export const createReplays = ({ db, waker }: { db: Db; waker: Waker }): Replays => ({
  async one(prefix) {
    const id = await resolveDelivery(db, prefix)
    await db.transaction(async tx => {
      const delivery = (await findDelivery(tx, id)) ?? missingDelivery(id)
      if (!delivery.has_body) throw new ConflictError(`The body of ${id} was removed: ask its sender to send it again.`)
      if (!(await replayOne(tx, id))) throw new ConflictError(`${id} waits to be handled already.`)
      await waker.wakeIn(tx)
    })
    const { body: _, ...view } = (await findDelivery(db, id)) ?? missingDelivery(id)
    return view
  },
  matching: filter =>
    db.transaction(async tx => {
      const result = await replayMatching(tx, filter)
      if (result.replayed > 0) await waker.wakeIn(tx)
      return result
    })
})
