import { type Log, messageOf, type SettingsStore } from '#core'

/** Requests a refresh when a setting has another value: what pages show, or where they are. Not at the start. */
export function followSettings(
  store: Pick<SettingsStore, 'list' | 'onRead'>,
  requestRefresh: () => Promise<void>,
  log: Log
): void {
  let known: string | undefined
  store.onRead(async () => {
    const before = known
    known = JSON.stringify(store.list().map(({ key, value }) => [key, value]))
    if (before === undefined || before === known) return
    // The refresh of every quarter of an hour makes up for it.
    await requestRefresh().catch((error: unknown) =>
      log.warn({ fault: messageOf(error) }, 'a refresh of the export could not be requested after a changed setting')
    )
  })
}
