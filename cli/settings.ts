import {
  type CommandGroup,
  command,
  listOf,
  type SettingsStore,
  type SettingView,
  type Terminal,
  table
} from '../core/index.ts'
import type { KeyRotation } from '../core/settings/key-rotation.ts'
import type { SettingsRegistry } from '../core/settings/store.ts'
import { rotateKeyCommand } from './rotate-key.ts'

const keyOf = (settings: SettingsStore) =>
  ({
    type: 'positional',
    required: true,
    describe: 'Name of the setting',
    suggestions: settings.list().map(item => item.key)
  }) as const

/** `galley settings`: the runtime settings. Secrets are masked everywhere but in `get --reveal`. */
export function settingsCommands(settings: SettingsRegistry, keys: KeyRotation): CommandGroup {
  return {
    list: listCommand(settings),
    get: getCommand(settings),
    set: setCommand(settings),
    enable: activeCommand(settings, true),
    disable: activeCommand(settings, false),
    'rotate-key': rotateKeyCommand(keys)
  }
}

const listCommand = (settings: SettingsStore) =>
  command({
    describe: 'Show all settings, or those that every given filter fits',
    returns: 'list of Setting',
    args: {
      category: { type: 'string', describe: 'Only settings of this category' },
      search: { type: 'string', placeholder: 'TEXT', describe: 'Only settings with this in their name or description' },
      changed: { type: 'boolean', describe: 'Only settings that were set, whatever their default' },
      secret: { type: 'boolean', describe: 'Only secrets' },
      disabled: { type: 'boolean', describe: 'Only disabled settings' }
    },
    run: async ({ args }) => listOf(settings.list().filter(item => isWanted(item, args))),
    text: ({ items }, terminal) => (items.length === 0 ? 'No setting fits.' : settingsTable(items, terminal))
  })

interface Filters {
  category?: string | undefined
  search?: string | undefined
  changed: boolean
  secret: boolean
  disabled: boolean
}

function isWanted(item: SettingView, { category, search, changed, secret, disabled }: Filters): boolean {
  const text = `${item.key} ${item.description}`.toLowerCase()
  return (
    (category === undefined || item.category === category) &&
    (search === undefined || text.includes(search.toLowerCase())) &&
    (!changed || item.updated_at !== null) &&
    (!secret || item.is_secret) &&
    (!disabled || !item.is_active)
  )
}

const getCommand = (settings: SettingsRegistry) =>
  command({
    describe: 'Show one setting',
    returns: 'Setting',
    args: { key: keyOf(settings), reveal: { type: 'boolean', describe: 'Show the plain text of a secret' } },
    async run({ args, terminal }) {
      const setting = settings.find(args.key)
      if (!args.reveal) return setting
      if (setting.is_secret) terminal.note(`warning: ${args.key} is a secret, and is printed here in plain text`)
      return settings.reveal(args.key)
    },
    text: ({ value }) => value
  })

const setCommand = (settings: SettingsStore) =>
  command({
    describe: 'Change a setting; every process follows within a second',
    returns: 'Setting',
    args: {
      key: keyOf(settings),
      value: { type: 'positional', required: true, allowEmpty: true, describe: 'The new value, as text' },
      'allow-new': { type: 'boolean', describe: 'Accept a name that no plugin declares' },
      secret: { type: 'boolean', describe: 'Encrypt the value and mask it from now on; implies --allow-new' },
      category: { type: 'string', describe: 'Group it is listed in' }
    },
    run: ({ args }) =>
      settings.set(args.key, args.value, {
        allowNew: args['allow-new'],
        secret: args.secret,
        ...(args.category === undefined ? {} : { category: args.category })
      }),
    text: ({ key, value }) => `${key} = ${value}`
  })

const activeCommand = (settings: SettingsStore, isActive: boolean) =>
  command({
    describe: isActive ? 'Use the stored value again' : 'Use the default instead of the stored value, which is kept',
    returns: 'Setting',
    args: { key: keyOf(settings) },
    run: ({ args }) => settings.setActive(args.key, isActive),
    text: ({ key, is_active }) => `${key} is ${is_active ? 'enabled' : 'disabled'}`
  })

/** A secret that was never set is masked in JSON as one that is; people are told. */
function shownValue({ value, is_secret, is_active, updated_at }: SettingView): string {
  if (is_secret && updated_at === null) return '(not set)'
  return is_active ? value : `${value} (disabled)`
}

const settingsTable = (items: readonly SettingView[], terminal: Terminal): string =>
  table(
    ['KEY', 'VALUE', 'DEFAULT', 'BOUNDS', 'CATEGORY', 'DESCRIPTION'],
    items.map(item => [item.key, shownValue(item), item.default, item.bounds ?? '', item.category, item.description]),
    terminal
  )
