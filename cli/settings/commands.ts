import { withoutFullStop } from '#text/excerpts'
import {
  type CommandGroup,
  command,
  type FieldErrors,
  InputError,
  NotFoundError,
  type SettingsStore,
  type Terminal
} from '../../core/index.ts'
import type { KeyRotationDeps } from '../../core/keyring.ts'
import type { SettingsRegistry } from '../../core/settings/store.ts'
import type { SettingView } from '../../core/settings/types.ts'
import { listOf, shorten, table } from '../framework/table.ts'
import { rotateKeyCommand } from '../keys/commands.ts'

const keyOf = (settings: SettingsStore) =>
  ({
    type: 'positional',
    required: true,
    describe: 'Name of the setting',
    suggestions: settings.list().map(item => item.key)
  }) as const

/** `galley settings`: the runtime settings. Secrets are masked everywhere but in `get --reveal`. */
export function settingsCommands(settings: SettingsRegistry, keys: KeyRotationDeps): CommandGroup {
  return {
    list: listCommand(settings),
    get: getCommand(settings),
    set: setCommand(settings),
    unset: unsetCommand(settings),
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
      if (setting.fault !== null) terminal.note(`warning: ${setting.fault}`)
      else if (!setting.is_active) terminal.note(notUsed(args.key))
      if (setting.is_secret && setting.updated_at === null) terminal.note(`warning: ${args.key} is not set`)
      if (setting.bounds !== null && terminal.isInteractive) terminal.note(`It may be ${setting.bounds}.`)
      if (!args.reveal) return setting
      if (setting.is_secret) terminal.note(`warning: ${args.key} is a secret, and is printed here in plain text`)
      return settings.reveal(args.key)
    },
    text: ({ value }) => value
  })

const notUsed = (key: string): string => `warning: ${key} is disabled: this value is stored but not used`

const setCommand = (settings: SettingsStore) =>
  command({
    describe: 'Change a setting; every process follows within a second',
    returns: 'Setting',
    args: {
      key: keyOf(settings),
      value: {
        type: 'positional',
        acceptsEmpty: true,
        isSecret: true,
        describe: 'The new value, as text; - reads it from stdin; a secret that is left out is asked for, unseen'
      },
      stdin: { type: 'boolean', describe: 'Read the value from stdin, as - does: it stays out of the shell history' },
      'allow-new': { type: 'boolean', describe: 'Accept a name that no plugin declares' },
      secret: { type: 'boolean', describe: 'Encrypt the value and mask it from now on; implies --allow-new' },
      category: { type: 'string', describe: 'Group it is listed in' }
    },
    validate: ({ value, stdin }): FieldErrors =>
      stdin && value !== undefined && value !== '-'
        ? { stdin: 'cannot be combined with <value>: give one of them' }
        : {},
    run: async context => {
      const { key, secret, category, 'allow-new': allowNew } = context.args
      const value = await readValue(settings, context)
      const options = { actor: context.actor, allowNew, secret, ...(category === undefined ? {} : { category }) }
      const setting = await settings.set(key, value, options).catch((error: unknown) => {
        if (!(error instanceof NotFoundError)) throw error
        throw new NotFoundError(
          `${withoutFullStop(error.message)}. --allow-new accepts a name that no plugin declares.`
        )
      })
      if (!setting.is_active) context.terminal.note(notUsed(key))
      return setting
    },
    text: ({ key, value, sent_to }) => `${key} = ${value}${sent_to === null ? '' : `, for ${sent_to}`}`
  })

const valueLimits = { maxBytes: 1024 * 1024, field: 'value' }

interface Given {
  args: { key: string; value: string | undefined; stdin: boolean; secret: boolean }
  isJson: boolean
  terminal: Terminal
}

/** The value as it was given: on the line, on stdin without its last line break, or typed where nobody sees it. */
async function readValue(settings: SettingsStore, { args, isJson, terminal }: Given): Promise<string> {
  const { key, value, stdin } = args
  if (stdin || value === '-') {
    if (terminal.isInteractive) terminal.note('Reading the value from the terminal; end it with Ctrl-D.')
    return (await terminal.readStdin(valueLimits)).replace(/\r?\n$/, '')
  }
  const isSecret = args.secret || settings.list().some(item => item.key === key && item.is_secret)
  if (value !== undefined) {
    if (isSecret && value !== '' && terminal.isInteractive)
      terminal.note(`note: the shell may remember this line: "settings set ${key}" asks for a secret unseen`)
    return value
  }
  if (!isSecret || isJson || !terminal.isInteractive)
    throw new InputError({ value: 'is required: give it, or - to read it from stdin' })
  const typed = await terminal.ask(`Value of ${key} (it is not shown):`, { isSecret: true })
  if (typed === null || typed === '') throw new InputError({ value: 'is empty: nothing was changed' })
  return typed
}

const unsetCommand = (settings: SettingsStore) =>
  command({
    describe: 'Delete the stored value. The default applies again; an undeclared setting is removed',
    returns: 'Setting',
    args: { key: keyOf(settings) },
    run: ({ args, actor }) => settings.unset(args.key, { actor }),
    text: item =>
      item.default === null ? `${item.key} is gone` : `${item.key} = ${shownValue(item) || '(empty)'}, its default`
  })

const activeCommand = (settings: SettingsStore, isActive: boolean) =>
  command({
    describe: isActive ? 'Use the stored value again' : 'Use the default instead of the stored value, which is kept',
    returns: 'Setting',
    args: { key: keyOf(settings) },
    run: ({ args, actor }) => settings.setActive(args.key, isActive, { actor }),
    text: ({ key, is_active }) => `${key} is ${is_active ? 'enabled' : 'disabled'}`
  })

/** A secret that was never set is masked in JSON as one that is. People see the difference. */
function shownValue({ value, is_secret, is_active, updated_at, sent_to, fault }: SettingView): string {
  if (is_secret && updated_at === null) return '(not set)'
  if (fault !== null) return is_secret && sent_to !== null ? `(set for ${sent_to} only)` : `${value} (not valid)`
  return is_active ? value : `${value} (disabled)`
}

// A choice among many values would make every row as long as their list. "settings get" shows all of it.
const maxBoundsWidth = 60

const settingsTable = (items: readonly SettingView[], terminal: Terminal): string =>
  table(
    [
      { heading: 'KEY' },
      { heading: 'VALUE', isText: true },
      { heading: 'DEFAULT', isText: true, dropOrder: 2 },
      { heading: 'BOUNDS', dropOrder: 4 },
      { heading: 'CATEGORY', dropOrder: 3 },
      { heading: 'DESCRIPTION', isText: true, dropOrder: 1 }
    ],
    items.map(item => [
      item.key,
      shownValue(item),
      item.default,
      shorten(item.bounds ?? '', maxBoundsWidth),
      item.category,
      item.description
    ]),
    terminal
  )
