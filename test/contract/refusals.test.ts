import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Plugin } from '../../core/contract/plugin.ts'
import { BootError } from '../../core/kernel/boot-error.ts'
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
