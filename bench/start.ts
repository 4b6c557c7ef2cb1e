// Start-up, memory and responsiveness of a real service: node bench/start.ts [--server postgres://…]
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { startService } from '../test/helpers/service.ts'
import { makeGalley } from './galley.ts'
import { type Measured, measured } from './target.ts'
import { median, residentMb } from './wrk.ts'

const { values } = parseArgs({ options: { server: { type: 'string' } } })
const run = promisify(execFile)
const bin = new URL('../cli/bin.js', import.meta.url).pathname
/** The first collections and the pool's first connections are over by then. */
const idleAfterMs = 5_000
const rows: Measured[] = []
for (const part of [
  async () => [await help()],
  embedded,
  () => onServer(values.server),
  async () => [await heavyQuery()]
]) {
  rows.push(...(await part()))
  console.log(rows.at(-1))
}
console.table(rows)

/** Both in turn, so that a busy moment meets both. */
async function help(): Promise<Measured> {
  const ours: number[] = []
  const baseline: number[] = []
  const time = async (...args: string[]) => {
    const begun = performance.now()
    await run(process.execPath, args)
    return performance.now() - begun
  }
  for (let n = 0; n < 9; n++) {
    baseline.push(await time('-e', '0'))
    ours.push(await time(bin, '--help'))
  }
  return measured('galley --help against node -e 0', median(ours) / median(baseline), 'times', '<', 2)
}

async function embedded(): Promise<Measured[]> {
  const begun = performance.now()
  const galley = await makeGalley(undefined)
  const setupMs = performance.now() - begun
  try {
    const serving = await galley.serve()
    await sleep(idleAfterMs)
    const idle = residentMb(serving.pid)
    await serving.stop()
    return [
      measured('first setup, embedded', setupMs, 'ms', '<', 6_000),
      measured('serve ready on an existing embedded database', serving.startedInMs, 'ms', '<', 2_000),
      measured('idle, embedded', idle, 'MB', '<', 550)
    ]
  } finally {
    await galley.remove()
  }
}

async function onServer(server: string | undefined): Promise<Measured[]> {
  if (server === undefined) return []
  const galley = await makeGalley(server)
  try {
    const serving = await galley.serve()
    await sleep(idleAfterMs)
    const idle = residentMb(serving.pid)
    await serving.stop()
    return [measured('idle, PostgreSQL', idle, 'MB', '<', 150)]
  } finally {
    await galley.remove()
  }
}

/** A query of several seconds in the embedded database, while another process asks for a page that needs none. */
async function heavyQuery(): Promise<Measured> {
  delete process.env.TEST_DATABASE_URL
  const service = await startService({ worker: false })
  try {
    const url = `${service.url}/openapi.json`
    await service.anonymous('GET', '/openapi.json')
    const heavy = service.db.query('select count(*) from generate_series(1, 5000000) as n where n % 7 = n % 11')
    let isRunning = true
    heavy.finally(() => {
      isRunning = false
    })
    const times: number[] = []
    while (isRunning) {
      const begun = performance.now()
      await (await fetch(url)).arrayBuffer()
      times.push(performance.now() - begun)
      await sleep(5)
    }
    return measured(`slowest of ${times.length} answers beside a heavy query`, Math.max(...times), 'ms', '<', 100)
  } finally {
    await service.close()
  }
}
