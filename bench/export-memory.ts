// What a service takes above idle while it exports all posts, and how long it does: node bench/export-memory.ts [--posts 10000] [--server url]
// Put TMPDIR into memory, else it is the disk that is measured.
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { makeGalley } from './galley.ts'
import { seedPosts } from './seed.ts'
import { type Measured, measured } from './target.ts'
import { residentMb } from './wrk.ts'

const { values } = parseArgs({
  options: { posts: { type: 'string', default: '10000' }, server: { type: 'string' } }
})
const posts = Number(values.posts)
const maxMb = 100
const minPerSecond = { json: 2_000, pages: 1_000 }

const galley = await makeGalley(values.server)
try {
  await galley.database(async db => {
    await seedPosts(db, posts)
    await db.script('analyze posts')
  })
  const { url, pid, stop } = await galley.serve('--no-worker')
  try {
    const { access_token } = JSON.parse(await galley.command('auth', 'mint-token', '--json'))
    await sleep(15_000)
    console.table([
      ...(await exportAll('json', { url, pid, access_token })),
      ...(await exportAll('pages', { url, pid, access_token }))
    ])
  } finally {
    await stop()
  }
} finally {
  await galley.remove()
}

async function exportAll(
  kind: keyof typeof minPerSecond,
  { url, pid, access_token }: { url: string; pid: number; access_token: string }
): Promise<Measured[]> {
  await galley.command('settings', 'set', 'site_export', String(kind === 'pages'))
  await galley.command('settings', 'set', 'export_target', `file:${path.join(galley.home, kind)}`)
  await sleep(3_000)
  const idle = residentMb(pid)
  let peak = idle
  const watch = setInterval(() => {
    peak = Math.max(peak, residentMb(pid))
  }, 20)
  const startedAt = performance.now()
  const response = await fetch(`${url}/api/export/rebuild`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}` }
  })
  const seconds = (performance.now() - startedAt) / 1000
  clearInterval(watch)
  // After 30 s it is a job: fewer posts are needed then.
  if (response.status !== 200) throw new Error(`the export answered ${response.status}: ${await response.text()}`)
  await response.body?.cancel()
  return [
    measured(`export of ${posts} posts, ${kind}, above ${idle} MB when idle`, peak - idle, 'MB', '<', maxMb),
    measured(`export of ${posts} posts, ${kind}`, posts / seconds, 'a second', '≥', minPerSecond[kind])
  ]
}
