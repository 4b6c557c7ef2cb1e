import { type Db, type Log, messageOf, type SettingsStore } from '#core'
import { hasExported } from './repository/export.ts'
import { type TargetDeps, targetFault } from './target.ts'

interface Deps {
  store: Pick<SettingsStore, 'list' | 'onRead'>
  db: Db
  requestRefresh(): Promise<void>
  log: Log
}

/** Has `export_target` refused where no export should go. */
export function checkTarget(
  store: Pick<SettingsStore, 'check'>,
  deps: Pick<TargetDeps, 'storage' | 'installation'>
): void {
  store.check('export_target', address => targetFault(address, deps), deps.storage.probe)
}

/** Requests a refresh when a setting has another value: what pages show, or where they are. Not before the first export. */
export function followSettings({ store, db, requestRefresh, log }: Deps): void {
  let known: string | undefined
  const request = async () => {
    if (await hasExported(db)) await requestRefresh()
  }
  store.onRead(async () => {
    const before = known
    known = JSON.stringify(store.list().map(({ key, value }) => [key, value]))
    if (before === undefined || before === known) return
    // The refresh of every quarter of an hour makes up for it.
    await request().catch((error: unknown) =>
      log.warn({ fault: messageOf(error) }, 'a refresh of the export could not be requested after a changed setting')
    )
  })
}
