import assert from 'node:assert/strict'
import type { Finding } from '#core'
import type { Kernel } from '../../core/kernel/kernel.ts'

/** What a plugin's check of `galley doctor` finds. */
export function findingOf({ plugins }: Pick<Kernel, 'plugins'>, name: string): Promise<Finding> {
  const checks = plugins.flatMap(({ contribution }) => contribution.checks ?? [])
  const check = checks.find(each => each.name === name)
  assert.ok(check, `no plugin has the check ${name}`)
  return check.run({ signal: AbortSignal.timeout(10_000), unfinished: async () => [] })
}
