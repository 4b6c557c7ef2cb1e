import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../../../cli/log/json-log.ts'
import { metricsRoutes } from '../../../plugins/metrics/routes.ts'
import { bearer, noDatabase, type Options, startApp } from '../../core/http/app-under-test.ts'

/** An app with the plugin's routes; `lines` collects what it logs. */
async function startWithMetrics(options: Pick<Options, 'metrics'> = {}) {
  const lines: string[] = []
  const log = createLog('info', { write: line => void lines.push(line) })
  const pluginRoutes = [{ name: 'metrics', routes: metricsRoutes({ db: noDatabase, log }) }]
  return { ...(await startApp({ ...options, pluginRoutes })), lines }
}

test('metrics carry what plugins read, without what cannot be read', async t => {
  const help = 'A figure.'
  const plugin = 'press'
  const app = await startWithMetrics({
    metrics: [
      { plugin, name: 'waiting', help, type: 'gauge', read: async () => [{ value: 3 }] },
      { plugin, name: 'broken', help, type: 'gauge', read: () => Promise.reject(new Error('no answer')) },
      { plugin, name: 'endless', help, type: 'gauge', read: () => new Promise(() => {}) },
      {
        plugin,
        name: 'late_seconds',
        help,
        type: 'histogram',
        read: async () => [
          { part: 'bucket', labels: { le: '+Inf' }, value: 2 },
          { part: 'sum', value: 0.5 },
          { part: 'count', value: 2 }
        ]
      }
    ]
  })
  t.after(app.close)
  const text = await (await app.fetch('/metrics')).text()
  assert.match(text, /^# TYPE waiting gauge\nwaiting 3$/m)
  assert.match(text, /^late_seconds_bucket{le="\+Inf"} 2\nlate_seconds_sum 0.5\nlate_seconds_count 2$/m)
  assert.doesNotMatch(text, /^(broken|endless) /m)
  const counted = await (await app.fetch('/metrics')).text()
  for (const name of ['broken', 'endless'])
    assert.match(counted, new RegExp(`^metrics_failed_total{plugin="press",metric="${name}"} [12]$`, 'm'))
  assert.match(app.lines.join(''), /"plugin":"press","metric":"endless".*a metric could not be read/)
})

test('metrics are open to this machine, and to a token from anywhere', async t => {
  const app = await startWithMetrics()
  t.after(app.close)
  await app.fetch('/health')
  const answer = await app.fetch('/metrics')
  assert.match(answer.headers.get('content-type') as string, /^text\/plain/)
  const text = await answer.text()
  for (const line of [
    /^http_requests_total{method="GET",route="\/health",status="2xx"} 1$/m,
    /^http_request_duration_seconds_bucket/m,
    /^db_pool_size 2$/m,
    /^nodejs_eventloop_lag_seconds/m,
    /^process_resident_memory_bytes/m
  ]) {
    assert.match(text, line)
  }
  const forwarded = { 'x-forwarded-for': '203.0.113.9' }
  assert.equal((await app.fetch('/metrics', { headers: forwarded })).status, 401)
  assert.equal((await app.fetch('/metrics', { headers: { ...forwarded, ...bearer() } })).status, 200)
})

test('responses are counted by route and status, those from the response cache too', async t => {
  const app = await startWithMetrics()
  t.after(app.close)
  const counts: string[] = []
  app.app.telemetry.onResponse((method, route, status, seconds) =>
    counts.push(`${method} ${route} ${status} ${seconds === undefined ? 'cached' : 'timed'}`)
  )
  await app.fetch('/health')
  assert.deepEqual(counts, ['GET /health 200 timed'])
  const text = await (await app.fetch('/metrics')).text()
  assert.match(text, /^http_cache_hits_total 0$/m)
  assert.match(text, /^http_request_duration_seconds_count{method="GET",route="\/health",status="2xx"} 1$/m)
})
