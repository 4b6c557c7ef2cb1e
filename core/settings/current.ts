import type { Changes } from '../contract/changes.ts'
import { NotFoundError } from '../contract/errors.ts'
import type { Setting, SettingMap, Settings } from '../contract/settings.ts'
import type { Db, Queryable, Tx } from '../db/db.ts'
import type { Log } from '../log.ts'
import type { Secrets } from '../secrets.ts'
import { addressIn, foreignTo } from './destination.ts'
import { listRows, type SettingRow } from './repository.ts'
import { readStored, refuseForeignSecrets } from './stored.ts'
import { parseValue, toText } from './values.ts'
import { type Declared, isMachine, type SettingView, type Stored, settingView } from './view.ts'

/** The settings as this process knows them: read at its start, and again after each change. */
export interface CurrentSettings {
  load(from?: Queryable): Promise<void>
  settled(): Promise<void>
  onRead(callback: () => void | Promise<void>): void
  /** The stored row, in use or not. */
  row(key: string): Stored | undefined
  list(): SettingView[]
  view(key: string): SettingView
  /** As `view`, with a secret in plain text. */
  reveal(key: string): SettingView
  value(key: string): string
  reader<S extends SettingMap>(definitions: S): Settings<S>
  /** A row is in effect here once it is committed; reading all again, which the change also causes, takes a moment. */
  keep(tx: Tx, row: SettingRow): void
  /** The same for a row that is taken away. */
  drop(tx: Tx, key: string): void
}

interface CurrentDeps {
  db: Db
  secrets: Secrets
  changes: Changes
  declared: ReadonlyMap<string, Declared>
  log: Log
}

export function createCurrent({ db, secrets, changes, declared, log }: CurrentDeps): CurrentSettings {
  let rows = new Map<string, Stored>()
  let parsed = new Map<string, unknown>()
  let loads = 0
  const callbacks: (() => void | Promise<void>)[] = []
  const underWay = createUnderWay()
  const faults = createFaults(declared, key => rows.get(key))

  async function load(from: Queryable = db): Promise<void> {
    const turn = ++loads
    const read = (await listRows(from)).map(row => readStored(secrets, row))
    refuseForeignSecrets(read)
    // A slower, older read must not undo a newer one.
    if (turn !== loads) return
    rows = new Map(read.map(row => [row.key, row]))
    parsed = new Map()
    faults.clear()
    for (const callback of callbacks) underWay.follow(callback())
  }
  changes.on('settings', () => {
    const reading = load().catch(error =>
      log.error({ err: error }, 'settings could not be read again; the last known values stay in use')
    )
    underWay.follow(reading)
  })

  function forget(key: string): void {
    // A secret reads otherwise once its address has changed.
    parsed = new Map()
    faults.forget(key)
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
    settled: underWay.settled,
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
        const fault = foreignTo(row, address)
        const value = fault === null && row?.is_active ? row.plain : toText((definitions[key] as Setting).default)
        return { value, fault }
      }
    }),
    keep(tx, row) {
      const stored = readStored(secrets, row)
      tx.afterCommit(() => {
        rows.set(row.key, stored)
        forget(row.key)
      })
    },
    drop: (tx, key) =>
      tx.afterCommit(() => {
        rows.delete(key)
        forget(key)
      })
  }
}

/** Work that is going on here, until it is done. */
function createUnderWay() {
  const works = new Set<Promise<void>>()
  return {
    follow(work: void | Promise<void>): void {
      if (work === undefined) return
      works.add(work)
      void work.finally(() => works.delete(work))
    },
    async settled(): Promise<void> {
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
  const foreign = (key: string) => foreignTo(rowOf(key), addressOf(key))
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
    forget: (key: string) => void invalid.delete(key),
    /** That of a value that is not valid, or of a secret set for another host than its address names now. */
    of: (key: string): string | null => invalidIn(key) ?? foreign(key),
    /** The row for a reader, which parses by itself and says what is not valid. */
    rowToParse(key: string): Stored | undefined {
      const row = rowOf(key)
      return row?.isUnreadable || foreign(key) !== null ? undefined : row
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
