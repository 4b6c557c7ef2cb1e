import { type CommandGroup, command, listOf, type Terminal, table } from '../core/index.ts'
import type { Kernel } from '../core/kernel.ts'

interface PluginRow {
  name: string
  contract: number
  describe: string
  needs: string[]
  provides: string[]
  commands: string[]
}

/** `galley plugins`: what the service is made of. */
export function pluginCommands(kernel: Kernel, configPath: string): CommandGroup {
  return {
    list: command({
      describe: 'Show the plugins in the order they start',
      returns: 'list of Plugin, with config',
      args: {},
      run: async () => ({ ...listOf(kernel.plugins.map(rowOf)), config: configPath }),
      text: ({ items }, terminal) => pluginTable(items, terminal)
    })
  }
}

function rowOf({ plugin, contribution }: Kernel['plugins'][number]): PluginRow {
  const { name, contract, describe } = plugin
  const idsOf = (tokens: Record<string, { id: string }> | undefined) => Object.values(tokens ?? {}).map(({ id }) => id)
  return {
    name,
    contract,
    describe,
    needs: idsOf(plugin.needs),
    provides: idsOf(plugin.provides),
    commands: Object.keys(contribution.commands ?? {})
  }
}

const pluginTable = (items: readonly PluginRow[], terminal: Terminal): string =>
  table(
    ['PLUGIN', 'NEEDS', 'COMMANDS', 'DESCRIPTION'],
    items.map(item => [item.name, item.needs.join(' '), item.commands.join(' '), item.describe]),
    terminal
  )
