import assert from 'node:assert/strict'
import type { RouteOptions } from 'fastify'
import { commandsInTime } from '../cli/framework/load-in-time.ts'
import type { ArgDefinition } from '../core/contract/command.ts'
import type { Setting, SettingMap } from '../core/contract/settings.ts'
import type { LoadedPlugin } from '../core/kernel/contribution-rules.ts'
import { kebabCase } from '../core/kernel/manifest-rules.ts'

/** One rule that every plugin keeps; `check` fails for one that does not. */
type Law = readonly [title: string, check: (loaded: LoadedPlugin) => void | Promise<void>]

const snake = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/

/** What holds for every plugin, whatever it brings, beside what the boot refuses. */
export const laws: readonly Law[] = [
  ['says what it is', ({ plugin }) => assert.ok(plugin.describe.length >= 10, 'describe has at least 10 characters')],
  [
    'keeps its promises and brings no other service',
    ({ plugin, contribution }) => {
      assert.deepEqual(Object.keys(contribution.services ?? {}).sort(), Object.keys(plugin.provides ?? {}).sort())
    }
  ],
  [
    'names its settings in snake case and describes each',
    ({ plugin }) => {
      const settings: SettingMap = plugin.settings ?? {}
      for (const [key, setting] of Object.entries(settings)) checkSetting(key, setting)
    }
  ],
  ['describes its commands and every argument, and types them', checkCommands],
  [
    'names its jobs after itself',
    ({ plugin, contribution }) => {
      for (const { type } of contribution.jobs ?? []) assert.ok(type.startsWith(`${plugin.name}.`), type)
    }
  ]
]

function checkSetting(key: string, { default: value, describe, isSecret }: Setting): void {
  // Consumers' names, such as mcp-gladlabs, are part of their settings' keys.
  assert.match(key.replaceAll('-', '_'), snake)
  assert.match(describe, /^.{10,}\.$/s, `${key} is described in a sentence`)
  if (isSecret) assert.equal(typeof value, 'string', key)
}

async function checkCommands(loaded: LoadedPlugin): Promise<void> {
  for (const [group, entry] of Object.entries(commandsInTime(loaded))) {
    assert.match(group, kebabCase)
    assert.notEqual(entry.describe, '', `${group} is described`)
    const commands = 'load' in entry ? await entry.load() : { [group]: await entry.loadCommand() }
    for (const [name, command] of Object.entries(commands)) {
      assert.match(name, kebabCase)
      assert.notEqual(command.describe, '', `${group} ${name} is described`)
      assert.equal(typeof command.run, 'function')
      assert.equal(typeof command.text, 'function')
      for (const [argument, definition] of Object.entries<ArgDefinition>(command.args))
        checkArgument(`${group} ${name} ${argument}`, definition)
    }
  }
}

const typeOfDefault = {
  string: 'string',
  positional: 'string',
  boolean: 'boolean',
  integer: 'number',
  number: 'number'
}

function checkArgument(name: string, definition: ArgDefinition): void {
  assert.ok(definition.type in typeOfDefault, name)
  assert.ok(definition.describe.length >= 2, `${name} is described`)
  if (definition.default === undefined) return
  assert.equal(typeof definition.default, typeOfDefault[definition.type], name)
  assert.notEqual(definition.required, true, `${name} has a default and is required`)
  if (definition.options !== undefined) assert.ok(definition.options.includes(String(definition.default)), name)
}

/** What every route must say of itself. */
export function checkRoutes(routes: readonly RouteOptions[]): void {
  const names = new Set<string>()
  for (const { method, url, schema = {} } of routes) {
    const route = `${[method].flat().join(', ')} ${url}`
    const { operationId, summary, tags } = schema
    assert.ok(operationId && !names.has(operationId), `${route} has an operationId of its own, not ${operationId}`)
    names.add(operationId)
    assert.ok(summary, `${route} has a summary`)
    assert.ok(tags?.length, `${route} has a tag`)
  }
}
