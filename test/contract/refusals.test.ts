import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BootError } from '../../core/contract/boot-error.ts'
import { CONTRACT, definePlugin, type Plugin } from '../../core/contract/plugin.ts'
import { testPlugin } from '../../testing/contract.ts'
import { fixture } from '../helpers/kernel.ts'

for (const [name, cause] of [
  ['wrong-name', /is not in kebab case/],
  ['wrong-default', /the default of its setting wrong_seconds/],
  ['rail-without-settings', /the rail mine has no setting qa_rail_mine/]
] as const) {
  test(`the contract suite refuses ${name} in the words of the boot`, async () => {
    const { default: plugin } = (await import(fixture(`misbehaving/${name}.ts`))) as { default: Plugin }
    await assert.rejects(testPlugin(plugin), error => error instanceof BootError && cause.test(error.message))
  })
}

test('the contract suite refuses a misspelt field, which would do nothing', async () => {
  const base = { name: 'misspelt', contract: CONTRACT, describe: 'Means to bring a subscription' }
  const misspelt = { subscription: [] }
  const refusal = (plugin: Plugin) => assert.rejects(testPlugin(plugin), /has the unknown field "subscription"/)
  await refusal({ ...definePlugin({ ...base, setup: () => ({ services: {} }) }), ...misspelt })
  await refusal(definePlugin({ ...base, setup: () => ({ services: {}, ...misspelt }) }))
  const cleared = { describe: 'Clear it', args: {}, run: async () => '', text: String, ...misspelt }
  const commands = { shelf: { describe: 'Clear the shelf', loadCommand: async () => cleared } }
  await refusal(definePlugin({ ...base, setup: () => ({ services: {}, commands }) }))
})
