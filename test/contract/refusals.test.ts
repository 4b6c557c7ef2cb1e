import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BootError } from '../../core/contract/boot-error.ts'
import { CONTRACT, definePlugin, type Plugin } from '../../core/contract/plugin.ts'
import { testPlugin } from '../../testing/contract.ts'
import { laws } from '../../testing/laws.ts'
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

test('the contract suite finds a misspelt field, which would do nothing', async () => {
  const [, check] = laws.find(([title]) => title === 'has no field that the contract does not know') ?? []
  const plugin: Plugin = definePlugin({
    name: 'misspelt',
    contract: CONTRACT,
    describe: 'Means to bring a subscription',
    setup: () => ({ services: {} })
  })
  const contribution = { services: {} }
  const misspelt = { subscription: [] }
  assert.doesNotThrow(() => check?.({ plugin, contribution }))
  assert.throws(() => check?.({ plugin: { ...plugin, ...misspelt }, contribution }), /subscription/)
  assert.throws(() => check?.({ plugin, contribution: { ...contribution, ...misspelt } }), /subscription/)
})
