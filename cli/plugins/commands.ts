import path from 'node:path'
import { BootError, type BootProblem } from '../../core/contract/boot-error.ts'
import { AppError } from '../../core/contract/errors.ts'
import { type CommandGroup, ConflictError, command, NotFoundError, type Terminal } from '../../core/index.ts'
import { readPluginConfig } from '../../core/kernel/plugin-config.ts'
import { packageRoot } from '../../core/paths.ts'
import { findHome, readVariables } from '../config/home.ts'
import { pluginsConfigPath } from '../config/plugins-config.ts'
import { fieldLines, listOf, paint, table } from '../framework/table.ts'
import { checkPluginConfig, checkPluginEntries, type PluginCheck, type PluginRow } from './check-plugins.ts'
import { createPlugin } from './creation.ts'
import { disablePlugin, enablePlugin, entryCalled, noSuchPlugin, type Switched } from './switch.ts'

/**
 * `galley plugins`: what `plugins.config.json` names. They work on the files, without a database or a running server,
 * and also when the service does not boot.
 */
export const pluginCommands = (env: NodeJS.ProcessEnv): CommandGroup => {
  const configOf = (cwd: string) => findConfig(env, cwd)
  return {
    list: listCommand(configOf),
    get: getCommand(configOf),
    doctor: doctorCommand(configOf),
    create: createCommand(configOf),
    disable: disableCommand(configOf),
    enable: enableCommand(configOf)
  }
}

type FindConfig = (cwd: string) => string

function findConfig(env: NodeJS.ProcessEnv, cwd: string): string {
  try {
    return pluginsConfigPath(readVariables(env, findHome(env)).GALLEY_PLUGINS, cwd)
  } catch (error) {
    // A home that cannot be read is for "galley doctor" to tell.
    if (error instanceof AppError) return pluginsConfigPath(env.GALLEY_PLUGINS, cwd)
    throw error
  }
}

interface Listing {
  items: PluginRow[]
  /** What is wrong with those that are not among the items. */
  problems: readonly BootProblem[]
  /** Entries that are switched off. */
  disabled: readonly string[]
  config: string
}

const name = { type: 'positional', required: true, describe: 'Its name' } as const

const listCommand = (configOf: FindConfig) =>
  command({
    describe: 'Show the configured plugins in the order they start',
    returns: 'list of Plugin, with disabled, problems and config',
    args: {},
    run: async ({ terminal }) => {
      const config = configOf(terminal.cwd)
      const { items, disabled, problems } = await read(config)
      return { ...listOf(items), disabled, problems, config }
    },
    text: showList
  })

/** @throws BootError when the configuration cannot be read. */
async function read(configPath: string): Promise<Omit<Listing, 'config'>> {
  const { plugins, disabled } = await readPluginConfig(configPath)
  const { plugins: items, problems } = await checkPluginEntries(plugins, configPath)
  return { items, disabled, problems }
}

function showList({ items, disabled, problems, config }: Listing, terminal: Terminal): string {
  const cells = (row: PluginRow) => [
    row.name,
    row.version,
    String(row.contract),
    row.needs.join(' '),
    row.provides.join(' '),
    String(row.settings.length),
    String(row.routes.length),
    row.commands.join(' '),
    row.describe
  ]
  const headings = [
    { heading: 'PLUGIN' },
    { heading: 'VERSION', dropOrder: 6 },
    { heading: 'CONTRACT', dropOrder: 7 },
    { heading: 'NEEDS', isText: true, dropOrder: 4 },
    { heading: 'PROVIDES', isText: true, dropOrder: 5 },
    { heading: 'SETTINGS', dropOrder: 3 },
    { heading: 'ROUTES', dropOrder: 2 },
    { heading: 'COMMANDS', isText: true, dropOrder: 1 },
    { heading: 'DESCRIPTION', isText: true }
  ]
  return [
    table(headings, items.map(cells), terminal),
    ...(disabled.length === 0 ? [] : ['', `Disabled: ${disabled.join(', ')}`]),
    ...(problems.length === 0 ? [] : ['', showProblems(problems, terminal)]),
    '',
    `From ${config}. "galley plugins get <name>" shows one in full.`
  ].join('\n')
}

const getCommand = (configOf: FindConfig) =>
  command({
    describe: 'Show one plugin: what it needs and what it brings',
    returns: 'Plugin',
    args: { name },
    run: async ({ args, terminal }) => {
      const config = configOf(terminal.cwd)
      const { items, problems, disabled } = await read(config)
      const found = items.find(row => row.name === args.name)
      if (found !== undefined) return found
      const entry = entryCalled(args.name, disabled)
      if (entry !== undefined)
        throw new ConflictError(
          `${args.name} is disabled in ${config}: "galley plugins enable ${entry}" takes it in again.`
        )
      if (problems.length > 0) throw new BootError(problems)
      throw new NotFoundError(`${noSuchPlugin(args.name, config)}${disabledThere(disabled)}`)
    },
    text: (row, terminal) => fieldLines({ ...row }, terminal)
  })

const disabledThere = (disabled: readonly string[]): string =>
  disabled.length === 0 ? '' : ` Disabled there: ${disabled.join(', ')}.`

interface Diagnosis extends Pick<PluginCheck, 'problems'> {
  status: 'ok' | 'broken'
  plugins: number
  config: string
}

const doctorCommand = (configOf: FindConfig) =>
  command({
    describe: 'Look for what is wrong with the configured plugins, and say what to do about it',
    returns: '{status, plugins, problems: [{plugin, cause, remedy}], config}',
    exitStatuses: { 0: 'ok', 1: 'broken' },
    args: {},
    run: ({ terminal }) => diagnose(configOf(terminal.cwd)),
    text: showDiagnosis,
    exitStatus: ({ status }) => (status === 'ok' ? 0 : 1)
  })

async function diagnose(config: string): Promise<Diagnosis> {
  const { plugins, problems } = await checkPluginConfig(config)
  return { status: problems.length === 0 ? 'ok' : 'broken', plugins: plugins.length, problems, config }
}

function showDiagnosis({ status, plugins, problems, config }: Diagnosis, terminal: Terminal): string {
  if (status === 'ok') return `${paint('OK', 'green', terminal)}  ${plugins} plugins fit together (${config}).`
  return showProblems(problems, terminal)
}

const showProblems = (problems: readonly BootProblem[], terminal: Terminal): string =>
  problems
    .map(({ plugin, cause, remedy }) => `${paint('BROKEN', 'red', terminal)}  ${plugin}: ${cause}\n        → ${remedy}`)
    .join('\n')

const createCommand = (configOf: FindConfig) =>
  command({
    describe: 'Write a new plugin, with its test, to begin from',
    returns: '{name, folder, files}',
    args: {
      name: { ...name, describe: 'What it is called, in kebab case: opening-hours' },
      folder: {
        type: 'string',
        placeholder: 'PATH',
        completes: 'file',
        describe: 'Where to; default: a folder of that name here'
      }
    },
    run: async ({ args, terminal }) => {
      const configPath = configOf(terminal.cwd)
      const { plugins } = await readPluginConfig(configPath)
      const others = (await checkPluginEntries(plugins, configPath)).plugins
      return createPlugin({ name: args.name, folder: path.resolve(terminal.cwd, args.folder ?? args.name), others })
    },
    text: ({ folder, files }, { cwd }) => {
      const place = path.relative(cwd, folder)
      return [
        ...files.map(file => `wrote ${path.join(place, file)}`),
        `Try it: npm test --prefix ${place}`,
        `Use it: ${copyFirst(configOf(cwd), cwd)}add "./${place}" to "plugins" in plugins.config.json.`
      ].join('\n')
    }
  })

/** The package's own is replaced with the package. */
const copyFirst = (config: string, cwd: string): string =>
  config === path.join(packageRoot, 'plugins.config.json') && cwd !== packageRoot ? `copy ${config} here, and ` : ''

const disableCommand = (configOf: FindConfig) =>
  command({
    describe: 'Leave a plugin out from the next start on; its tables stay',
    returns: '{name, entry, enabled, config}',
    args: { name },
    run: ({ args, terminal }) => disablePlugin(args.name, configOf(terminal.cwd), terminal.cwd),
    text: showSwitched
  })

const enableCommand = (configOf: FindConfig) =>
  command({
    describe: 'Take a disabled plugin in again from the next start on',
    returns: '{name, entry, enabled, config}',
    args: { name },
    run: ({ args, terminal }) => enablePlugin(args.name, configOf(terminal.cwd), terminal.cwd),
    text: showSwitched
  })

const showSwitched = ({ name, enabled, config }: Switched): string =>
  `${name} is ${enabled ? 'enabled' : 'disabled'} in ${config}: start the service again.`
