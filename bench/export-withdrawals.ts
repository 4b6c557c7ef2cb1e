// A post withdrawn from a bucket: node bench/export-withdrawals.ts --server postgres://… [--posts 100000] [--ms 20]
//   [--folder /dev/shm] [--trace] [--during]. Posts are short, since only their number counts here. Each has three related posts.
// With --during they are withdrawn while all posts are exported to that bucket, which has nothing yet.
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openOnServer } from '../test/helpers/database.ts'
import { runCommand } from '../test/helpers/run-command.ts'
import { startService } from '../test/helpers/service.ts'
import { startBucket } from './bucket.ts'
import { insertShortPosts } from './short-posts.ts'

const { values } = parseArgs({
  options: {
    posts: { type: 'string', default: '10000' },
    ms: { type: 'string', default: '20' },
    server: { type: 'string', default: process.env.TEST_DATABASE_URL },
    folder: { type: 'string' },
    trace: { type: 'boolean', default: false },
    during: { type: 'boolean', default: false }
  }
})
const posts = Number(values.posts)
/** How long an export has run before the first withdrawal, and when its bucket is looked at after each. */
const beginMs = 2_000
const watchMs = 2_000
if (values.server === undefined) throw new Error('Name a PostgreSQL server with --server.')
const folder = mkdtempSync(path.join(values.folder ?? os.tmpdir(), 'galley-withdrawals-'))
const { db } = await openOnServer(values.server)
// What looks at all posts at first is not measured here.
const service = await startService({ db, leftOut: ['search', 'memory'] })
const set = service.kernel.settings.set

try {
  await insertShortPosts(db, posts)
  if (!values.during) {
    await set('export_target', `file:${folder}`)
    await rebuild()
  }
  const bucket = await startBucket(folder, Number(values.ms))
  try {
    await set('storage_endpoint', bucket.url)
    await set('storage_access_key', 'AKIA')
    await set('storage_secret_key', 'secret')
    await set('export_target', 's3://site')
    const exported = values.during ? rebuild() : runCommand(service.kernel, 'export', 'refresh', '--json')
    if (values.during) await sleep(beginMs)
    else await exported
    // Those of an export have just been written, or are about to be.
    const shares = values.during ? [0, 0.05, 0.1, 0.2, 1] : [0, 1 / 3, 1 / 2, 2 / 3, 1]
    const slugs = shares.map(share => `tides-${Math.max(1, Math.floor(posts * share))}`)
    for (const slug of slugs) await withdraw(bucket, slug, values.during ? () => sleep(watchMs) : untilQuiet)
    const exportedAt = Date.now()
    await exported
    if (values.during) console.log(`the export went on for ${Date.now() - exportedAt} ms after them`)
    for (const slug of values.during ? slugs : []) {
      const named = await bucket.watch(slug)
      if (named > 0) throw new Error(`${slug} is still named in ${(await bucket.report()).naming}`)
    }
  } finally {
    bucket.stop()
  }
} finally {
  await service.close()
  await db.close()
  rmSync(folder, { recursive: true })
}

async function rebuild(): Promise<void> {
  const { status, err } = await runCommand(service.kernel, 'export', 'rebuild', '--json')
  if (status !== 0) throw new Error(err)
}

async function withdraw(
  bucket: Awaited<ReturnType<typeof startBucket>>,
  slug: string,
  wait: () => Promise<void>
): Promise<void> {
  const [{ post_id } = { post_id: '' }] = await db.query<{ post_id: string }>(
    'select post_id from posts where slug = $1',
    [slug]
  )
  const named = await bucket.watch(slug)
  const own = process.cpuUsage()
  const { status } = await service.bearer('POST', `/api/posts/${post_id}/unpublish`)
  if (status !== 200) throw new Error(`It was answered with ${status}.`)
  const withdrawnAt = Date.now()
  await wait()
  const { user, system } = process.cpuUsage(own)
  const { answered, naming } = await bucket.report()
  const changes = answered.filter(({ method }) => method === 'PUT' || method === 'DELETE')
  const last = (some: typeof changes) => Math.max(0, ...some.map(({ at }) => at - withdrawnAt))
  const isOwn = ({ key }: { key: string }) => key === `posts/${slug}.json` || key.startsWith(`posts/${slug}/`)
  const isManifest = ({ key }: { key: string }) => key.startsWith('manifest')
  const shown = changes.filter(each => each.isNaming)
  console.log(
    `${posts} posts, ${values.ms} ms a request, ${slug}, named in ${named} objects: own files gone ${last(shown.filter(isOwn))} ms; shown nowhere ${last(shown.filter(each => !isManifest(each)))} ms; named nowhere ${last(shown)} ms; all ${last(changes)} ms; ${answered.length} requests, ${changes.length} of them changes; CPU ${Math.round((user + system) / 1000)} ms; load ${os.loadavg()[0]?.toFixed(1)}${naming.length > 0 ? `; STILL NAMED in ${naming}` : ''}`
  )
  if (values.trace)
    for (const { method, key, from, at, isNaming } of answered)
      console.log(`  ${from - withdrawnAt} to ${at - withdrawnAt} ${method} ${key}${isNaming ? ' *' : ''}`)
}

/** No job waits or runs. */
async function untilQuiet(): Promise<void> {
  for (let quiet = 0; quiet < 5; quiet++) {
    await sleep(200)
    const [{ waiting } = { waiting: 0 }] = await db.query<{ waiting: number }>(
      "select count(*) as waiting from jobs.job where state in ('created', 'retry', 'active') and start_after <= now()"
    )
    if (waiting > 0) quiet = -1
  }
}
