import type { ChangeFeed } from '../changes.ts'
import { NotFoundError } from '../contract/errors.ts'
import type { Setting, SettingMap, Settings } from '../contract/settings.ts'
import type { Db, Queryable, Tx } from '../db/db.ts'
import type { Log } from '../log.ts'
import type { Secrets } from '../secrets.ts'
import { addressIn, otherHostFault } from './destination.ts'
import { listRows, type SettingRow } from './repository.ts'
import { readStored, requireMasterKey } from './stored.ts'
import type { Declared, SettingView, Stored } from './types.ts'
import { parseValue, toText } from './values.ts'
import { isMachine, settingView } from './view.ts'

/** The settings as this process knows them: read at its start and after each change elsewhere. Its own are applied as written. */
export interface CurrentSettings {
  load(from?: Queryable): Promise<void>
  whenIdle(): Promise<void>
  onRead(callback: () => void | Promise<void>): void
  /** The stored row, in use or not. */
  row(key: string): Stored | undefined
  list(): SettingView[]
  view(key: string): SettingView
  /** As `view`, with a secret in plain text. */
  reveal(key: string): SettingView
  value(key: string): string
  reader<S extends SettingMap>(definitions: S): Settings<S>
  /** Puts what this process has written into effect, once it is committed. */
  apply(tx: Tx, change: AppliedChange): void
}

export interface AppliedChange {
  saved: readonly SettingRow[]
  /** Keys of rows that were deleted. */
  deleted: readonly string[]
}

interface CurrentDeps {
  db: Db
  secrets: Secrets
  changes: Pick<ChangeFeed, 'onElsewhere'>
  declared: ReadonlyMap<string, Declared>
  log: Log
}

export function createCurrent({ db, secrets, changes, declared, log }: CurrentDeps): CurrentSettings {
  let rows = new Map<string, Stored>()
  let parsed = new Map<string, unknown>()
  let loads = 0
  const callbacks: (() => void | Promise<void>)[] = []
  const pending = createPending()
  const faults = createFaults(declared, key => rows.get(key))

  let reading = 0

  async function load(from: Queryable = db): Promise<void> {
    const turn = ++loads
    reading += 1
    const read = await listRows(from).finally(() => {
      reading -= 1
    })
    const stored = read.map(row => readStored(secrets, row))
    requireMasterKey(stored)
    // A slower, older read must not undo a newer one.
    if (turn !== loads) return
    rows = new Map(stored.map(row => [row.key, row]))
    parsed = new Map()
    faults.clear()
    callAll()
  }
  const callAll = () => {
    for (const callback of callbacks) pending.add(callback())
  }
  const reload = () => {
    const work = load().catch(error =>
      log.error({ err: error }, 'settings could not be read again; the last known values stay in use')
    )
    pending.add(work)
  }
  changes.onElsewhere('settings', reload)

  function put({ saved, deleted }: { saved: readonly Stored[]; deleted: readonly string[] }): void {
    for (const row of saved) rows.set(row.key, row)
    for (const key of deleted) rows.delete(key)
    // A secret reads otherwise once its address has changed.
    parsed = new Map()
    faults.clear()
    // What is being read may be older than this.
    if (reading > 0) reload()
    callAll()
  }

  const view = (key: string): SettingView => {
    const row = rows.get(key)
    const definition = declared.get(key)
    if (row === undefined && definition === undefined) throw unknownKey(key)
    return { ...settingView(key, row, definition), is_machine: isMachine(key, row, declared), fault: faults.of(key) }
  }
  const defaultOf = (key: string) => toText(declared.get(key)?.setting.default ?? '')
  return {
    load,
    whenIdle: pending.whenIdle,
    onRead: callback => void callbacks.push(callback),
    row: key => rows.get(key),
    list: () => [...new Set([...declared.keys(), ...rows.keys()])].sort().map(view),
    view,
    reveal: key => ({ ...view(key), value: rows.get(key)?.plain ?? defaultOf(key) }),
    value(key) {
      const row = rows.get(key)
      if (row === undefined && !declared.has(key)) throw unknownKey(key)
      return row?.is_active && faults.of(key) === null ? row.plain : defaultOf(key)
    },
    reader: definitions => ({
      get: key => {
        const read = () => currentValue(key, definitions[key] as Setting, faults.rowToParse(key), log)
        if (!parsed.has(key)) parsed.set(key, read())
        return parsed.get(key) as never
      },
      secretFor: (key, address) => {
        const row = rows.get(key)
        const fault = otherHostFault(row, address)
        const value = fault === null && row?.is_active ? row.plain : toText((definitions[key] as Setting).default)
        return { value, fault }
      }
    }),
    apply(tx, { saved, deleted }) {
      const stored = saved.map(row => readStored(secrets, row))
      tx.afterCommit(() => put({ saved: stored, deleted }))
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

/** Why stored values do not count. */
function createFaults(declared: ReadonlyMap<string, Declared>, rowOf: (key: string) => Stored | undefined) {
  /** As far as it was asked, by key: to parse a value costs more than to look here. */
  const invalid = new Map<string, string | null>()
  /** The address a secret goes to, as it is now; empty for one that is sent nowhere. */
  const addressOf = (key: string): string => {
    const sentTo = declared.get(key)?.setting.sentTo
    const address = sentTo === undefined ? undefined : declared.get(sentTo)?.setting
    return address === undefined ? '' : addressIn(address, rowOf(sentTo as string))
  }
  const otherHost = (key: string) => otherHostFault(rowOf(key), addressOf(key))
  /** Its plugin may have changed its bounds since it was stored, or somebody its row. */
  const invalidIn = (key: string): string | null => {
    const known = invalid.get(key)
    if (known !== undefined) return known
    const fault = invalidityOf(rowOf(key), declared.get(key)?.setting)
    invalid.set(key, fault)
    return fault
  }
  return {
    clear: () => invalid.clear(),
    /** That of a value that is not valid, or of a secret set for another host than its address names now. */
    of: (key: string): string | null => invalidIn(key) ?? otherHost(key),
    /** The row for a reader, which parses by itself and says what is not valid. */
    rowToParse(key: string): Stored | undefined {
      const row = rowOf(key)
      return row?.isUnreadable || otherHost(key) !== null ? undefined : row
    }
  }
}

/** Why a stored value does not count, as a sentence; null when it does, or when it is switched off. */
function invalidityOf(row: Stored | undefined, definition: Setting | undefined): string | null {
  if (row === undefined || !row.is_active) return null
  if (row.isUnreadable) return `The stored value of ${row.key} does not decrypt, and is not used: set it again.`
  if (definition === undefined) return null
  const read = parseValue(definition, row.plain)
  return 'fault' in read
    ? `The stored value of ${row.key} is not valid: it ${read.fault}. Its default is in use.`
    : null
}

function currentValue(key: string, definition: Setting, row: Stored | undefined, log: Log): unknown {
  if (row === undefined || !row.is_active) return definition.default
  const result = parseValue(definition, row.plain)
  if ('value' in result) return result.value
  log.warn({ key, fault: result.fault }, 'a stored setting is not valid; its default is in use')
  return definition.default
}

export function unknownKey(key: string): NotFoundError {
  return new NotFoundError(
    `There is no setting ${JSON.stringify(key.slice(0, 128))}: GET /api/settings and galley settings list show them all.`
  )
}
