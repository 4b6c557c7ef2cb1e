import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closedDb } from '../../../cli/database/closed.ts'
import { createLog } from '../../../cli/log/json-log.ts'
import type { Sample } from '../../../core/contract/metric.ts'
import { CONTRACT, definePlugin, type Plugin } from '../../../core/contract/plugin.ts'
import { boot } from '../../../core/kernel/boot.ts'
import { testConfig } from '../../../testing/service.ts'
import { loadConfigured } from '../../helpers/kernel.ts'

test('samples that Prometheus would refuse are left out of /metrics, and logged once', async () => {
  const plugin = definePlugin({
    name: 'press',
    contract: CONTRACT,
    describe: 'Brings samples good and bad',
    setup: () => ({
      services: {},
      metrics: [
        {
          name: 'press_runs',
          help: 'Runs.',
          type: 'gauge',
          read: async (): Promise<Sample[]> => [
            { labels: { 'bad label': 'x' }, value: 1 },
            { labels: { paper: 'x' }, value: 'many' as never },
            { labels: { paper: 'thin' }, value: 3 }
          ]
        }
      ]
    })
  }) as Plugin
  const lines: string[] = []
  const log = createLog('warn', { write: line => void lines.push(line) })
  const app = await boot({
    config: testConfig,
    db: closedDb,
    log,
    plugins: [...(await loadConfigured()), plugin]
  }).createApp()
  try {
    for (let time = 0; time < 2; time += 1) {
      const { body } = await app.inject('/metrics')
      assert.match(body, /^press_runs\{paper="thin"\} 3$/m)
      assert.equal(body.match(/^press_runs/gm)?.length, 1)
    }
    assert.equal(lines.filter(line => line.includes('a sample of a metric is left out')).length, 1)
  } finally {
    await app.close()
  }
})
