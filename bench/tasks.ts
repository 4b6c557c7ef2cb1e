// Tasks with the embedded writer and 1,000 stored sources: node bench/tasks.ts, on the server of TEST_DATABASE_URL if that is set.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MemoryService } from '#plugins/memory'
import { packageRoot } from '../core/paths.ts'
import { startService, type TestService } from '../test/helpers/service.ts'
import { type Measured, measured, quantile } from './target.ts'

const sources = 1000
const tasks = 100

const service = await startService()
try {
  const titles = await storeSources(service)
  for (let n = 0; n < tasks; n++) await finish(service, `${titles[n % titles.length]}, part ${n}`)
  console.table(await rowsOf(service))
} finally {
  await service.close()
}

/** The samples again and again, each time with its paragraphs in another order and under another name. */
async function storeSources({ kernel }: TestService): Promise<string[]> {
  const memory = kernel.service(MemoryService)
  if (memory === undefined) throw new Error('No plugin keeps a memory.')
  const folder = path.join(packageRoot, 'cli', 'samples')
  const files = (await readdir(folder)).filter(name => name.endsWith('.md')).sort()
  const texts = await Promise.all(files.map(name => readFile(path.join(folder, name), 'utf8')))
  for (let n = 0; n < sources; n++) {
    const [heading = '', ...paragraphs] = (texts[n % texts.length] as string).split('\n\n')
    const at = Math.floor(n / texts.length) % paragraphs.length
    const text = [heading, ...paragraphs.slice(at), ...paragraphs.slice(0, at), `Copy ${n}.`].join('\n\n')
    await memory.store({ source_table: 'memory', source_id: `bench/${n}`, writer: 'bench', text })
  }
  return texts.map(text => text.split('\n', 1)[0]?.replace(/^# /, '') ?? '')
}

/** One task after the other: a queue of them would measure the queue. */
async function finish({ bearer }: TestService, topic: string): Promise<void> {
  const { body } = await bearer('POST', '/api/tasks', { topic })
  for (;;) {
    const { status } = (await bearer('GET', `/api/tasks/${body.task_id}`)).body
    if (status !== 'pending' && status !== 'in_progress') return
    await sleep(10)
  }
}

async function rowsOf({ db }: TestService): Promise<Measured[]> {
  const rows = await db.query<{ picked_up: number; drafted: number }>(
    `select (extract(epoch from min(at) filter (where to_status = 'in_progress') - min(at)) * 1000)::float8 as picked_up,
       (extract(epoch from max(at) - min(at) filter (where to_status = 'in_progress')) * 1000)::float8 as drafted
     from pipeline_events group by task_id`
  )
  const of = (name: 'picked_up' | 'drafted', share: number) =>
    quantile(
      rows.map(row => row[name]),
      share
    )
  const where = db.kind === 'postgres' ? 'PostgreSQL' : 'embedded'
  return [
    measured(`pick-up p99 of ${rows.length} tasks, ${where}`, of('picked_up', 0.99), 'ms', '<', 500),
    measured(`a draft with its checks and ${sources} sources, median, ${where}`, of('drafted', 0.5), 'ms', '<', 300),
    measured(`the same, p99, ${where}`, of('drafted', 0.99), 'ms', '<', 300)
  ]
}
