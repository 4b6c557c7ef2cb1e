import { type Log, messageOf, type SettingsStore } from '#core'
import type { RevalidationQueue } from './queue.ts'
import { revalidationSettings } from './settings.ts'

interface SettingsDeps {
  store: Pick<SettingsStore, 'onRead' | 'value'>
  queue: Pick<RevalidationQueue, 'retry'>
  log: Pick<Log, 'warn'>
}

/** Has what waits sent at once when an address or a secret is another: how long to wait was said by the one before. */
export function followSettings({ store, queue, log }: SettingsDeps): void {
  let known: string | undefined
  store.onRead(async () => {
    const before = known
    known = JSON.stringify(Object.keys(revalidationSettings).map(store.value))
    if (before === undefined || before === known) return
    await queue
      .retry()
      .catch((error: unknown) =>
        log.warn(
          { fault: messageOf(error) },
          'what waits could not be sent again after a changed setting: galley revalidation retry does it'
        )
      )
  })
}
