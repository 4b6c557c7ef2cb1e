import { setTimeout as sleep } from 'node:timers/promises'
import { type Changes, type Db, type Log, messageOf, type SettingsStore } from '#core'
import { requestMissedRefresh } from './refresh.ts'
import { hasExported } from './repository/export.ts'
import { type TargetDeps, targetFault } from './target.ts'

interface InstallationDeps extends Pick<TargetDeps, 'storage' | 'installation'> {
  db: Db
  changes: Pick<Changes, 'on'>
  requestRefresh(): Promise<void>
  log: Pick<Log, 'warn'>
}

/** Has `export_target` refused where no export should go, and the export follow settings and restores. */
export function followInstallation(
  store: Pick<SettingsStore, 'check' | 'list' | 'onRead'> | undefined,
  deps: InstallationDeps
): void {
  store?.check('export_target', address => targetFault(address, deps), deps.storage.probe)
  if (store !== undefined) followSettings(store, deps)
  followRestores(deps)
}

/** Requests a refresh when a setting has another value: what pages show, or where they are. Not before the first export. */
function followSettings(
  store: Pick<SettingsStore, 'list' | 'onRead'>,
  { db, requestRefresh, log }: InstallationDeps
): void {
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

/** Nobody touches it alone: everything is touched by a restore, at a start, and where a change may have been missed. */
const restoreCacheTag = 'export.restore'
/** A restore takes the queues out, too: they are made anew within a second or two. */
const tries = { count: 5, betweenMs: 2000 }

/** Requests a refresh after what may have been missed: a restore, or changes while this plugin was left out. */
function followRestores({ db, changes, requestRefresh, log }: InstallationDeps): void {
  const request = async (tried = 1): Promise<void> => {
    try {
      await requestMissedRefresh(db, requestRefresh)
    } catch (error) {
      if (tried >= tries.count)
        return log.warn({ fault: messageOf(error) }, 'a refresh of the export could not be requested after a restore')
      await sleep(tries.betweenMs, undefined, { ref: false })
      return request(tried + 1)
    }
  }
  changes.on(restoreCacheTag, () => void request())
}
