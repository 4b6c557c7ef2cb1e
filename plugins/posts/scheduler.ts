import { ConflictError } from '#core'
import type { SlotScheduler, SlottedPost, WakeAt, WantedSlot } from './contract/slots.ts'

/** The one plugin that publishes posts at their slots, once it has registered. */
export interface Scheduler {
  register(scheduler: SlotScheduler): void
  isRegistered(): boolean
  /** @throws ConflictError without one */
  wakeAt: WakeAt
  /** How an operator gives a post a slot, for a message; undefined without a scheduler. */
  hintFor(wanted: WantedSlot): string | undefined
  /** What the scheduler warns of; nothing without one. */
  warningsOf(post: SlottedPost): string[]
  /** Why the scheduler lets no post be published without a person; null for nothing, or without one. */
  automaticBlocker(): string | null
}

export function createScheduler(): Scheduler {
  let registered: SlotScheduler | undefined
  return {
    register(scheduler) {
      if (registered !== undefined) throw new TypeError('a scheduler is registered twice')
      registered = scheduler
    },
    isRegistered: () => registered !== undefined,
    wakeAt: async (tx, slot) => {
      if (registered === undefined) throw noScheduler()
      await registered.wakeAt(tx, slot)
    },
    hintFor: wanted => registered?.hintFor(wanted),
    warningsOf: post => registered?.warningsOf(post) ?? [],
    automaticBlocker: () => registered?.automaticBlocker() ?? null
  }
}

const noScheduler = () =>
  new ConflictError(
    'No post gets a slot while the plugin schedule is off: turn it on (galley plugins enable schedule), or publish now. Nothing was changed.'
  )
