import type { Db, Queryable, Tx } from '../db/db.ts'
import { AppError, InputError, NotFoundError } from '../errors.ts'
import type { Log } from '../log.ts'
import { type Changes, type Setting, type SettingMap, type Settings, service } from '../plugin.ts'
import { isEncrypted, type Secrets } from '../secrets.ts'
import { findSecret, listRows, lockSecrets, type SettingRow, saveActive, saveRow } from './repository.ts'
import { parseValue, toText } from './values.ts'
import { categoryOf, type Declared, mask, type SettingView, type Stored, viewOf } from './view.ts'

export type { Declared, SettingView } from './view.ts'

export interface SetOptions {
  /** Accept a key no plugin declares. */
  allowNew?: boolean
  /** Encrypt the value and flag the row `is_secret`; implies `allowNew`. */
  secret?: boolean
  category?: string
}

/** The runtime settings, as the API, the CLI and plugins that manage other plugins' settings use them. */
export interface SettingsStore {
  /** Every declared or stored setting, by key. */
  list(): SettingView[]
  /** @throws NotFoundError for a key that is neither declared nor stored. */
  find(key: string): SettingView
  /** The value in use, decrypted: the stored one when active, else the default (empty when no plugin declares it). */
  value(key: string): string
  /**
   * Stores a value; in effect here when it resolves, elsewhere within a second.
   * @throws NotFoundError for an unknown key, InputError (`value`) for text the setting's schema refuses.
   */
  set(key: string, value: string, options?: SetOptions): Promise<SettingView>
  /** The same inside the caller's transaction; in effect after commit. */
  write(tx: Tx, key: string, value: string, options?: SetOptions): Promise<void>
  setActive(key: string, isActive: boolean): Promise<SettingView>
  /**
   * Calls back each time values read from the database are in effect: at the start, and after each change. A process does
   * not end before what the callback promises, which must not fail.
   */
  onRead(callback: () => void | Promise<void>): void
  /** Refuses values of a setting the schema cannot judge: `faultOf` tells what is wrong ("must be …"), or null. */
  check(key: string, faultOf: (value: string) => string | null): void
}
export const SettingsStoreService = service<SettingsStore>('core.settings')

/** The store with what only the kernel may do. */
export interface SettingsRegistry extends SettingsStore {
  /** Reads every row. @throws AppError when a secret does not decrypt with the master key. */
  load(db?: Queryable): Promise<void>
  /** As `find`, with a secret in plain text. */
  reveal(key: string): SettingView
  reader<S extends SettingMap>(definitions: S): Settings<S>
  /** Waits for what a change has set going here: the database must stay open for it. */
  settled(): Promise<void>
}

export function createSettings(deps: {
  db: Db
  secrets: Secrets
  changes: Changes
  declared: ReadonlyMap<string, Declared>
  log: Log
}): SettingsRegistry {
  const { db, secrets, changes, declared, log } = deps
  let rows = new Map<string, Stored>()
  let parsed = new Map<string, unknown>()
  let loads = 0
  const callbacks: (() => void | Promise<void>)[] = []
  const underWay = new Set<Promise<void>>()
  const checks = new Map<string, (value: string) => string | null>()

  async function load(from: Queryable = db): Promise<void> {
    const turn = ++loads
    const fresh = new Map((await listRows(from)).map(row => [row.key, { ...row, plain: plainValue(secrets, row) }]))
    // A slower, older read must not undo a newer one.
    if (turn !== loads) return
    rows = fresh
    parsed = new Map()
    for (const callback of callbacks) follow(callback())
  }
  function follow(work: void | Promise<void>): void {
    if (work === undefined) return
    underWay.add(work)
    void work.finally(() => underWay.delete(work))
  }
  changes.on('settings', () => {
    const reading = load().catch(error =>
      log.error({ err: error }, 'settings could not be read again; the last known values stay in use')
    )
    follow(reading)
  })

  /** A committed row is in effect here at once; reading all again, which the change also causes, takes a moment. */
  function keep(tx: Tx, row: SettingRow): void {
    const stored = { ...row, plain: plainValue(secrets, row) }
    tx.afterCommit(() => {
      rows.set(row.key, stored)
      parsed.delete(row.key)
    })
  }

  const view = (key: string): SettingView => {
    const row = rows.get(key)
    const definition = declared.get(key)
    if (row === undefined && definition === undefined) throw unknownKey(key)
    return viewOf(key, row, definition)
  }

  async function write(tx: Tx, key: string, value: string, options: SetOptions = {}): Promise<void> {
    const row = rowToSave(key, value, options)
    keep(tx, await saveRow(tx, row.is_secret ? { ...row, value: await encryptIn(tx, key, value) } : row))
    await changes.touch(tx, 'settings')
  }

  /** The key may have been rotated by another process a moment ago: what is stored tells which one counts. */
  async function encryptIn(tx: Tx, key: string, plain: string): Promise<string> {
    await lockSecrets(tx, 'row exclusive')
    const secret = await findSecret(tx)
    if (secret !== undefined) plainValue(secrets, { ...secret, is_secret: true })
    return secrets.encrypt(key, plain)
  }

  function rowToSave(key: string, value: string, options: SetOptions) {
    const definition = declared.get(key)?.setting
    const existing = rows.get(key)
    if (definition === undefined && existing === undefined && !options.allowNew && !options.secret)
      throw unknownKey(key)
    if (!/^[a-z][a-z0-9_.-]{0,127}$/.test(key))
      throw new InputError({ key: 'must be 1–128 characters: lower-case letters, digits, _ . -' })
    const isSecret = definition?.secret === true || existing?.is_secret === true || options.secret === true
    const fault =
      isSecret && value === mask ? maskFault : (faultOf(definition, value) ?? checks.get(key)?.(value) ?? null)
    if (fault !== null) {
      const said = isSecret || value.length > 80 ? fault : `${fault}, not ${JSON.stringify(value)}`
      throw new InputError({ value: said }, `${key} ${said}.`)
    }
    const category =
      options.category ?? existing?.category ?? categoryOf(definition, declared.get(key)?.plugin, isSecret)
    return { key, value, is_secret: isSecret, category }
  }

  return {
    load,
    onRead: callback => void callbacks.push(callback),
    check: (key, judge) => void checks.set(key, judge),
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay)
    },
    write,
    list: () => [...new Set([...declared.keys(), ...rows.keys()])].sort().map(view),
    find: view,
    reveal: key => ({ ...view(key), value: rows.get(key)?.plain ?? toText(declared.get(key)?.setting.default ?? '') }),
    value(key) {
      const row = rows.get(key)
      if (row?.is_active) return row.plain
      const definition = declared.get(key)
      if (definition === undefined && row === undefined) throw unknownKey(key)
      return toText(definition?.setting.default ?? '')
    },
    async set(key, value, options = {}) {
      await db.transaction(tx => write(tx, key, value, options))
      return view(key)
    },
    async setActive(key, isActive) {
      const { category, is_secret } = view(key)
      // What is not stored is its default already: storing that would keep it when a release changes the default.
      if (isActive && !rows.has(key)) return view(key)
      const fallback = toText(declared.get(key)?.setting.default ?? '')
      await db.transaction(async tx => {
        const value = is_secret ? await encryptIn(tx, key, fallback) : fallback
        keep(tx, await saveActive(tx, isActive, { key, value, is_secret, category }))
        await changes.touch(tx, 'settings')
      })
      return view(key)
    },
    reader: definitions => ({
      get: key => {
        if (!parsed.has(key)) parsed.set(key, currentValue(key, definitions[key] as Setting, rows.get(key), log))
        return parsed.get(key) as never
      }
    })
  }
}

function plainValue(secrets: Secrets, row: Pick<SettingRow, 'key' | 'value' | 'is_secret'>): string {
  if (!row.is_secret) return row.value
  try {
    return secrets.decrypt(row.key, row.value)
  } catch (cause) {
    throw new AppError(
      'INTERNAL_ERROR',
      `POINDEXTER_SECRET_KEY does not decrypt the stored setting ${row.key}: start with the key this database was set up with, or was last rotated to (bootstrap.env of that installation).`,
      { cause }
    )
  }
}

// A client that sends back what it read would put the mask in the secret's place.
const maskFault = `must be the secret itself: ${mask} only stands for it`

function faultOf(definition: Setting | undefined, value: string): string | null {
  if (isEncrypted(value)) return 'must be given in plain text: it looks like an encrypted value'
  if (value.length > 65_536) return 'must be at most 65536 characters'
  if (value.includes('\0') || !value.isWellFormed()) return 'must be text without NUL and with whole characters'
  if (definition === undefined) return null
  const result = parseValue(definition, value)
  return 'fault' in result ? result.fault : null
}

function currentValue(key: string, definition: Setting, row: Stored | undefined, log: Log): unknown {
  if (row === undefined || !row.is_active) return definition.default
  const result = parseValue(definition, row.plain)
  if ('value' in result) return result.value
  log.warn({ key, fault: result.fault }, 'a stored setting is not valid; its default is in use')
  return definition.default
}

function unknownKey(key: string): NotFoundError {
  return new NotFoundError(
    `There is no setting ${JSON.stringify(key.slice(0, 128))}: GET /api/settings and galley settings list show them all.`
  )
}
