import { ConflictError } from '#core'
import type { WakeAt } from './slot-services.ts'

/** The one plugin that publishes posts at their slots, once it has registered. */
export interface Scheduler {
  register(wakeAt: WakeAt): void
  isRegistered(): boolean
  /** @throws ConflictError without one */
  wakeAt: WakeAt
}

export function createScheduler(): Scheduler {
  let registered: WakeAt | undefined
  return {
    register(wakeAt) {
      if (registered !== undefined) throw new TypeError('a scheduler is registered twice')
      registered = wakeAt
    },
    isRegistered: () => registered !== undefined,
    wakeAt: async (tx, slot) => {
      if (registered === undefined) throw noScheduler()
      await registered(tx, slot)
    }
  }
}

const noScheduler = () =>
  new ConflictError(
    'No post gets a slot while the plugin schedule is off: turn it on (galley plugins enable schedule), or publish now. Nothing was changed.'
  )
