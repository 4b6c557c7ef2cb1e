// The static export, to a folder and to a bucket: node --no-memory-reducer bench/export.ts [--posts 10000] [--eleventy folder]
// The flag is what `galley serve` runs Node.js with.
// `--eleventy` names a folder where npm has installed @11ty/eleventy and @11ty/eleventy-plugin-syntaxhighlight. Eleventy then
// makes the same site in the same run.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { createS3Client, maxRequests, s3Limits } from '../plugins/storage/s3/client.ts'
import { commandsOf } from '../test/helpers/kernel.ts'
import { makePublicPost } from '../test/helpers/public-post.ts'
import { startService } from '../test/helpers/service.ts'
import { recordSession } from '../test/helpers/session.ts'
import { buildWithEleventy } from './eleventy-site.ts'
import { exampleText, numberMark } from './export-text.ts'
import { childrenMs } from './processor-time.ts'

const { values } = parseArgs({
  options: {
    posts: { type: 'string', default: '10000' },
    objects: { type: 'string', default: '10000' },
    eleventy: { type: 'string' }
  }
})
const posts = Number(values.posts)
const objects = Number(values.objects)
const textBytes = 6000
const folder = mkdtempSync(path.join(os.tmpdir(), 'galley-bench-'))

// In a process of its own, as a service elsewhere would be.
const s3rver = `
  const S3rver = require('s3rver')
  const bucket = { name: 'site', configs: [] }
  new S3rver({ port: 0, silent: true, directory: process.argv[1], configureBuckets: [bucket] })
    .run().then(({ port }) => console.log(port))`
const server = spawn(process.execPath, ['-e', s3rver, path.join(folder, 's3')], {
  stdio: ['ignore', 'pipe', 'inherit']
})
const [port] = await once(server.stdout, 'data')
const endpoint = `http://localhost:${String(port).trim()}`

const service = await startService({ worker: false })
const set = service.kernel.settings.set
const { terminal } = recordSession()
const output = { print: () => {}, closed: new AbortController().signal }
async function run(name: string): Promise<{ files: number; bytes: number }> {
  const command = (await commandsOf(service.kernel, 'export'))[name]
  return command?.run({ args: {}, isJson: true, terminal, actor: 'operator', output })
}
async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
/** The first is made as all posts are. The others have its text with their own number. */
async function insertPosts(count: number, kind: string): Promise<void> {
  const { post_id } = await makePublicPost(service, { title: 'First', content: exampleText })
  await service.db.query(
    `insert into categories (slug, name) select 'c' || n, 'Category ' || n from generate_series(0, 19) n on conflict do nothing`
  )
  await service.db.query(
    `insert into posts (slug, title, excerpt, content, content_html, status, published_at, category, tags, tag_slugs, word_count)
     select $1 || '-' || n, 'Post ' || n, 'Why the sea rises', replace(content, $2, n::text), replace(content_html, $2, n::text),
       'published', timestamptz '2026-01-01' - interval '3 hours' * n, 'c' || n % 20, array['t' || n % 200], array['t' || n % 200],
       word_count
     from posts cross join generate_series(1, $3) n where post_id = $4`,
    [kind, numberMark, count, post_id]
  )
  await service.db.query('delete from posts where post_id = $1', [post_id])
  // A server does it by itself.
  await service.db.script('analyze posts')
}
const changeOne = () =>
  service.db.query(`update posts set title = title || '!', revision = revision + 1 where slug like '%-7'`)
const perSecond = (count: number, ms: number) => `${Math.round((count * 1000) / ms)} a second`

try {
  await insertPosts(posts, 'tides')
  for (const [kind, isWithSite] of [
    ['JSON', 'false'],
    ['JSON and pages', 'true']
  ] as const) {
    await set('site_export', isWithSite)
    await set('export_target', `file:${path.join(folder, `site-${isWithSite}`)}`)
    await toFolder(kind)
  }
  if (values.eleventy !== undefined) await besideEleventy(path.resolve(values.eleventy))
  await set('site_export', 'false')
  await service.db.script('truncate posts, categories cascade')
  await insertPosts(objects, 'sand')
  await set('storage_endpoint', endpoint)
  await set('storage_access_key', 'S3RVER')
  await set('storage_secret_key', 'S3RVER')
  for (let round = 0; round < 3; round++) {
    const baseline = await timed(() => putAll(`bare-${round}`))
    await set('export_target', `s3://site/export-${round}`)
    const ours = await timed(() => run('rebuild'))
    console.log(
      `bucket, ${objects} posts: ${perSecond(objects, ours)}; bare SDK loop ${perSecond(objects, baseline)}; ${(baseline / ours).toFixed(2)} of it`
    )
  }
} finally {
  await service.close()
  server.kill()
  rmSync(folder, { recursive: true })
}

async function toFolder(kind: string): Promise<void> {
  const idle = process.memoryUsage().rss
  let peak = idle
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 20)
  const before = cpuMs()
  const first = await timed(() => run('rebuild'))
  const used = ((cpuMs() - before) / posts).toFixed(2)
  clearInterval(watch)
  console.log(
    `folder, ${kind}, ${posts} posts of ${textBytes} bytes: ${perSecond(posts, first)}, ${used} ms of processor time each, +${Math.round((peak - idle) / 1e6)} MB`
  )
  console.log(`folder, ${kind}, nothing changed: ${Math.round(await timed(() => run('refresh')))} ms`)
  for (let round = 0; round < 3; round++) {
    await changeOne()
    console.log(`folder, ${kind}, one change: ${Math.round(await timed(() => run('refresh')))} ms`)
  }
}

/** The same posts as markdown, in turn. Eleventy writes pages only; galley writes the JSON of each post, too. */
async function besideEleventy(installed: string): Promise<void> {
  for (const kind of ['whole', 'whole', 'whole', 'minimal'] as const) {
    const theirs = await buildWithEleventy({ folder, installed }, kind, posts)
    const before = cpuMs()
    const ours = await timed(() => run('rebuild'))
    const ourCpu = cpuMs() - before
    console.log(
      `Eleventy, ${kind}: ${perSecond(posts, theirs.ms)}; ours with pages right after: ${perSecond(posts, ours)}, ${(theirs.ms / ours).toFixed(1)} times as many; processor time ${(theirs.cpuMs / posts).toFixed(2)} and ${(ourCpu / posts).toFixed(2)} ms each, ${(theirs.cpuMs / ourCpu).toFixed(1)} times`
    )
  }
}

/** Of this process and of its children, which colour code. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + childrenMs()
}

/** As many objects of the same size, as many at once. */
async function putAll(prefix: string): Promise<void> {
  const access = { endpoint, region: 'us-east-1', accessKey: 'S3RVER', secretKey: 'S3RVER', isPathStyle: true }
  const client = await createS3Client(access, s3Limits)
  // As the JSON of such a post.
  const Body = Buffer.alloc(2 * textBytes + 2000, 'a')
  let next = 0
  const put = async () => {
    while (next < objects)
      await client.send(new PutObjectCommand({ Bucket: 'site', Key: `${prefix}/${next++}.json`, Body }))
  }
  await Promise.all(Array.from({ length: maxRequests }, put))
  client.destroy()
}
