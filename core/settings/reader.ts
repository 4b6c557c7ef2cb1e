import { NotFoundError } from '../contract/errors.ts'
import type { Setting, SettingMap, Settings } from '../contract/settings.ts'
import type { Log } from '../log.ts'
import type { SettingsCache } from './cache.ts'
import { otherHostFault } from './destination.ts'
import { createFaults } from './faults.ts'
import type { DeclaredSetting, SettingView, StoredSetting } from './types.ts'
import { parseValue, toText } from './values.ts'
import { isMachine, settingView } from './view.ts'

/** The settings as they are now: what is stored, over what plugins declare. */
export interface SettingsReader {
  list(): SettingView[]
  /** @throws NotFoundError for a key that is neither declared nor stored. */
  find(key: string): SettingView
  /** As `find`, with a secret in plain text. */
  reveal(key: string): SettingView
  value(key: string): string
  reader<S extends SettingMap>(definitions: S): Settings<S>
}

interface ReaderDeps {
  rows: SettingsCache
  declared: ReadonlyMap<string, DeclaredSetting>
  log: Log
}

export function createSettingsReader({ rows, declared, log }: ReaderDeps): SettingsReader {
  const faults = createFaults(declared, rows.get)
  const parsed = new Map<string, unknown>()
  // First of all who are called back. All values, because a secret reads otherwise once its address has changed.
  rows.onRead(() => {
    parsed.clear()
    faults.clear()
  })
  const find = (key: string): SettingView => {
    const row = rows.get(key)
    const definition = declared.get(key)
    if (row === undefined && definition === undefined) throw unknownKey(key)
    return { ...settingView(key, row, definition), is_machine: isMachine(key, row, declared), fault: faults.of(key) }
  }
  const defaultOf = (key: string) => toText(declared.get(key)?.setting.default ?? '')
  const read = (key: string, definition: Setting): unknown => {
    if (!parsed.has(key)) parsed.set(key, currentValue(definition, faults.rowToParse(key), log))
    return parsed.get(key)
  }
  return {
    list: () => [...new Set([...declared.keys(), ...rows.keys()])].sort().map(find),
    find,
    reveal: key => ({ ...find(key), value: rows.get(key)?.plain ?? defaultOf(key) }),
    value(key) {
      const row = rows.get(key)
      if (row === undefined && !declared.has(key)) throw unknownKey(key)
      return row?.is_active && faults.of(key) === null ? row.plain : defaultOf(key)
    },
    reader: definitions => ({
      // The value was checked against the schema that its type is of.
      get: key => read(key, definitionIn(definitions, key)) as never,
      secretFor: (key, address) => secretIn(rows.get(key), definitionIn(definitions, key), address)
    })
  }
}

function definitionIn(definitions: SettingMap, key: string): Setting {
  const definition = definitions[key]
  if (definition === undefined) throw new TypeError(`The plugin reads ${key}, which it does not declare.`)
  return definition
}

function secretIn(row: StoredSetting | undefined, definition: Setting, address: string) {
  const fault = otherHostFault(row, address)
  return { value: fault === null && row?.is_active ? row.plain : toText(definition.default), fault }
}

function currentValue(definition: Setting, row: StoredSetting | undefined, log: Log): unknown {
  if (row === undefined || !row.is_active) return definition.default
  const result = parseValue(definition, row.plain)
  if ('value' in result) return result.value
  log.warn({ key: row.key, fault: result.fault }, 'a stored setting is not valid; its default is in use')
  return definition.default
}

export const unknownKey = (key: string): NotFoundError =>
  new NotFoundError(
    `There is no setting ${JSON.stringify(key.slice(0, 128))}: GET /api/settings and galley settings list show them all.`
  )
