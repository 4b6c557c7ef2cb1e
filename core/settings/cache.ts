import type { ChangeFeed } from '../changes.ts'
import type { Db, Queryable, Tx } from '../contract/database.ts'
import type { Log } from '../log.ts'
import type { Secrets } from '../secrets.ts'
import { readStored, requireMasterKey } from './decrypt.ts'
import { listRows, type SettingRow } from './repository.ts'
import type { SettingsStore, StoredSetting } from './types.ts'

/** The stored settings as this process knows them: read at its start and after changes elsewhere. Its own changes are applied as they are written. */
export interface SettingsCache extends Pick<SettingsStore, 'onRead'> {
  load(from?: Queryable): Promise<void>
  /** Waits for reads that are under way, and for what those who were called back promised. */
  whenIdle(): Promise<void>
  get(key: string): StoredSetting | undefined
  keys(): string[]
  /** Puts what this process has written into effect, once it is committed. */
  apply(tx: Tx, change: AppliedChange): void
}

interface AppliedChange {
  saved: readonly SettingRow[]
  /** Keys of rows that were deleted. */
  deleted: readonly string[]
}

interface CacheDeps {
  db: Db
  secrets: Secrets
  changes: Pick<ChangeFeed, 'onRemoteChange'>
  log: Log
}

export function createSettingsCache({ db, secrets, changes, log }: CacheDeps): SettingsCache {
  let rows = new Map<string, StoredSetting>()
  let loads = 0
  let reading = 0
  const callbacks: (() => void | Promise<void>)[] = []
  const pending = createPending()
  const callAll = () => {
    for (const callback of callbacks) pending.add(callback())
  }
  async function load(from: Queryable = db): Promise<void> {
    const loadNumber = ++loads
    reading += 1
    const read = await listRows(from).finally(() => {
      reading -= 1
    })
    const stored = read.map(row => readStored(secrets, row))
    requireMasterKey(stored)
    // A slower, older read must not undo a newer one.
    if (loadNumber !== loads) return
    rows = new Map(stored.map(row => [row.key, row]))
    callAll()
  }
  const reload = () => {
    const work = load().catch(error =>
      log.error({ err: error }, 'settings could not be read again; the last known values stay in use')
    )
    pending.add(work)
  }
  changes.onRemoteChange('settings', reload)
  return {
    load,
    whenIdle: pending.whenIdle,
    onRead: callback => void callbacks.push(callback),
    get: key => rows.get(key),
    keys: () => [...rows.keys()],
    apply(tx, { saved, deleted }) {
      const stored = saved.map(row => readStored(secrets, row))
      tx.afterCommit(() => {
        for (const row of stored) rows.set(row.key, row)
        for (const key of deleted) rows.delete(key)
        // What is being read may be older than this.
        if (reading > 0) reload()
        callAll()
      })
    }
  }
}

/** Work that is going on here, until it is done. */
function createPending() {
  const works = new Set<Promise<void>>()
  return {
    add(work: void | Promise<void>): void {
      if (work === undefined) return
      works.add(work)
      void work.finally(() => works.delete(work))
    },
    async whenIdle(): Promise<void> {
      while (works.size > 0) await Promise.all(works)
    }
  }
}
