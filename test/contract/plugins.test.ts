import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ArgDefinition } from '../../core/command.ts'
import { CONTRACT, type Plugin, type Setting } from '../../core/plugin.ts'
import type { LoadedPlugin } from '../../core/set-up.ts'
import { parseValue, toText } from '../../core/settings/values.ts'
import guestbook from '../fixtures/plugins/guestbook/plugin.ts'
import { bootPlugins, loadConfigured } from '../helpers/kernel.ts'

// Its database throws: a plugin that did I/O in setup, or to add its routes, would not get here.
const kernel = bootPlugins([...(await loadConfigured()), guestbook as Plugin])
const app = await kernel.createApp()
const document = app.swagger() as unknown as { paths: Record<string, Record<string, Operation>> }
await app.close()

interface Operation {
  operationId?: string
  summary?: string
  tags?: string[]
}

const kebab = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
const snake = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/

const laws: [title: string, check: (loaded: LoadedPlugin) => void | Promise<void>][] = [
  [
    'is named in kebab case, for this contract, and says what it is',
    ({ plugin }) => {
      assert.match(plugin.name, kebab)
      assert.equal(plugin.contract, CONTRACT)
      assert.ok(plugin.describe.length >= 10)
    }
  ],
  [
    'keeps its promises and brings no other service',
    ({ plugin, contribution }) => {
      assert.deepEqual(Object.keys(contribution.services ?? {}).sort(), Object.keys(plugin.provides ?? {}).sort())
    }
  ],
  [
    'declares settings whose defaults are within their own bounds, and describes each',
    ({ plugin }) => {
      for (const [key, setting] of Object.entries((plugin.settings ?? {}) as Record<string, Setting>))
        checkSetting(key, setting)
    }
  ],
  [
    'describes its commands and every argument, and types them',
    async ({ contribution }) => {
      for (const [group, { describe, load }] of Object.entries(contribution.commands ?? {})) {
        assert.match(group, kebab)
        assert.notEqual(describe, '')
        for (const [name, command] of Object.entries(await load())) {
          assert.match(name, kebab)
          assert.notEqual(command.describe, '', name)
          assert.equal(typeof command.run, 'function')
          assert.equal(typeof command.text, 'function')
          for (const [argument, definition] of Object.entries(command.args)) {
            checkArgument(`${group} ${name} ${argument}`, definition as ArgDefinition)
          }
        }
      }
    }
  ],
  [
    'names its jobs after itself',
    ({ plugin, contribution }) => {
      for (const { type } of contribution.jobs ?? []) assert.ok(type.startsWith(`${plugin.name}.`), type)
    }
  ]
]

function checkSetting(key: string, { schema, default: value, describe, secret }: Setting): void {
  // Consumers' names, such as mcp-gladlabs, are part of their settings' keys.
  assert.match(key.replaceAll('-', '_'), snake)
  assert.match(describe, /^.{10,}\.$/s, key)
  assert.deepEqual(parseValue({ schema, default: value, describe }, toText(value)), { value }, key)
  if (secret) assert.equal(typeof value, 'string', key)
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
  assert.ok(definition.describe.length >= 2, name)
  if (definition.default === undefined) return
  assert.equal(typeof definition.default, typeOfDefault[definition.type], name)
  assert.notEqual(definition.required, true, `${name} has a default and is required`)
  if (definition.options !== undefined) assert.ok(definition.options.includes(String(definition.default)), name)
}

for (const loaded of kernel.plugins) {
  for (const [title, check] of laws) {
    test(`the plugin ${loaded.plugin.name} ${title}`, () => check(loaded))
  }
}

test('every route has a name of its own, a line that says what it does, and a group', () => {
  const names = new Set<string>()
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, { operationId, summary, tags }] of Object.entries(operations)) {
      const route = `${method.toUpperCase()} ${path}`
      assert.ok(operationId && !names.has(operationId), `${route}: operationId ${operationId}`)
      names.add(operationId)
      assert.ok(summary, `${route} has no summary`)
      assert.ok(tags?.length, `${route} has no tag`)
    }
  }
})
