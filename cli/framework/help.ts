import { stripVTControlCharacters } from 'node:util'
import type { ArgsDef, CommandDef } from 'citty'
import type { ArgDefinition, ArgDefinitions } from '../../core/contract/command.ts'
import type { Catalogue, CatalogueCommand, CatalogueGroup } from './catalogue.ts'

/** Where help is shown. */
export interface HelpOptions {
  /** The program's name as it is called: `galley`. */
  name: string
  version: string
  hasColour: boolean
}

/** Help for the whole program: every group and command with its line. */
export function programHelp(catalogue: Catalogue, { name, version, hasColour }: HelpOptions): Promise<string> {
  const meta = { name, version, description: 'Turns topics into checked, approved and published posts' }
  return render({ meta, subCommands: linesOf(catalogue) }, hasColour)
}

export function groupHelp(path: string, group: CatalogueGroup, { hasColour }: HelpOptions): Promise<string> {
  return render({ meta: { name: path, description: group.describe }, subCommands: linesOf(group.commands) }, hasColour)
}

export function commandHelp(
  path: string,
  { describe, args }: CatalogueCommand,
  { hasColour }: HelpOptions
): Promise<string> {
  return render({ meta: { name: path, description: describe }, args: argsOf(args) }, hasColour)
}

/** One line that shows how a command is called. */
export function usageLine(path: string, args: ArgDefinitions): string {
  const words = Object.entries(args).map(([name, definition]) => {
    const word = definition.type === 'positional' ? `<${name}>` : flagOf(name, definition)
    return definition.required ? word : `[${word}]`
  })
  return ['usage:', path, ...words, '[--json]'].join(' ')
}

function flagOf(name: string, definition: ArgDefinition): string {
  return definition.type === 'boolean' ? `--${name}` : `--${name} <${hintOf(name, definition)}>`
}

const hintOf = (name: string, { options, placeholder }: ArgDefinition): string =>
  options?.join('|') ?? placeholder ?? name

async function render(definition: CommandDef, colour: boolean): Promise<string> {
  // Loaded here: most commands never show help, and citty is of use for nothing else.
  const { renderUsage } = await import('citty')
  const text = await renderUsage(definition)
  return (colour ? text : stripVTControlCharacters(text)).replace(/[ \t]+$/gm, '').trimEnd()
}

function linesOf(entries: Readonly<Record<string, { describe: string }>>): Record<string, CommandDef> {
  return Object.fromEntries(
    Object.entries(entries).map(([name, { describe }]) => [name, { meta: { name, description: describe } }])
  )
}

function argsOf(definitions: ArgDefinitions): ArgsDef {
  const own = Object.entries(definitions).map(([name, definition]) => [name, argOf(name, definition)])
  return {
    ...Object.fromEntries(own),
    json: { type: 'boolean', description: 'Print the result as JSON (also --json-output)' },
    help: { type: 'boolean', alias: 'h', description: 'Show this help' }
  }
}

function argOf(name: string, definition: ArgDefinition): ArgsDef[string] {
  const { type, describe: description, required = false, default: fallback, options, alias } = definition
  const shared = { description, required, ...(alias === undefined ? {} : { alias }) }
  if (type === 'boolean') return { type, ...shared, ...(fallback === undefined ? {} : { default: fallback === true }) }
  const withDefault = { ...shared, ...(fallback === undefined ? {} : { default: String(fallback) }) }
  if (type === 'positional') return { type, ...withDefault }
  if (options !== undefined) return { type: 'enum', options: [...options], ...withDefault }
  return { type: 'string', valueHint: hintOf(name, definition), ...withDefault }
}
