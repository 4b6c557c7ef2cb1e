import type { Context, Needs, SettingsStore } from '#core'
import type { DuePosts, PostSlots, Posts, SlotScheduler } from '#plugins/posts'
import { createPublisher, wakePublisher } from './publisher.ts'
import { quietWarnings } from './results.ts'
import { createSchedule } from './schedule.ts'
import { publishGateName, type scheduleSettings } from './settings.ts'
import { createSlotChanges } from './slot-changes.ts'
import { slotHint } from './slot-hint.ts'

type ComponentsContext = Omit<Context<Needs, typeof scheduleSettings>, 'needs'> & {
  needs: { posts: Posts; slots: PostSlots; due: DuePosts; store: SettingsStore }
}

/** Everything the plugin consists of, wired. */
export function createComponents({ needs, settings, db, enqueue, now }: ComponentsContext) {
  const { posts, slots, due, store } = needs
  const timeZone = () => store.value('operator_timezone')
  // A stored window that cannot be read is shown as it is: left out, a slot could be given in the night.
  const quietHours = () => {
    const { fault, value } = store.find('publish_quiet_hours')
    return fault === null ? store.value('publish_quiet_hours') : value
  }
  const isGateOn = () => settings.get('pipeline_gate_final_publish_approval') === 'on'
  const changes = createSlotChanges({ db, posts, slots, due, timeZone, quietHours })
  const schedule = createSchedule({ db, posts, slots, due, changes, timeZone, quietHours, isGateOn, now })
  const publisher = createPublisher({ db, due, isGateOn })
  const scheduler: SlotScheduler = {
    wakeAt: wakePublisher(enqueue),
    hintFor: slotHint,
    warningsOf: post => quietWarnings([post], quietHours(), timeZone()),
    automaticBlocker: () => (isGateOn() ? `the gate ${publishGateName} is on` : null)
  }
  return { db, posts, slots, due, changes, schedule, publisher, isGateOn, scheduler }
}
