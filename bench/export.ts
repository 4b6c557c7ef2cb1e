// The static export, to a folder and to a bucket: node bench/export.ts [--posts 10000] [--eleventy folder]
// `--eleventy` names a folder where npm has installed @11ty/eleventy. It then builds the same posts in the same run.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { createS3Client, maxRequests, s3Limits } from '../plugins/storage/s3/client.ts'
import { commandsOf } from '../test/helpers/kernel.ts'
import { startService } from '../test/helpers/service.ts'
import { recordSession } from '../test/helpers/session.ts'

const { values } = parseArgs({
  options: {
    posts: { type: 'string', default: '10000' },
    objects: { type: 'string', default: '2000' },
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
const insertPosts = (count: number, kind: string) =>
  service.db.query(
    `insert into posts (slug, title, excerpt, content, content_html, status, published_at)
     select $1 || '-' || n, 'Post ' || n, 'Why the sea rises', repeat('The sea rises twice a day. ', $2 / 54),
       repeat('<p>The sea rises.</p> ', $2 / 44), 'published', now() - interval '3 hours' * n
     from generate_series(1, $3) n`,
    [kind, textBytes, count]
  )
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
  if (values.eleventy !== undefined) {
    const theirs = await timed(() => buildWithEleventy(path.resolve(values.eleventy ?? '')))
    const ours = await timed(() => run('rebuild'))
    console.log(
      `Eleventy, the same posts: ${perSecond(posts, theirs)}; ours with pages right after: ${perSecond(posts, ours)}, ${(theirs / ours).toFixed(1)} times as many`
    )
  }
  await set('site_export', 'false')
  await service.db.script('truncate posts, categories cascade')
  await insertPosts(objects, 'sand')
  await set('storage_endpoint', endpoint)
  await set('storage_access_key', 'S3RVER')
  await set('storage_secret_key', 'S3RVER')
  for (let round = 0; round < 3; round++) {
    const bare = await timed(() => putAll(`bare-${round}`))
    await set('export_target', `s3://site/export-${round}`)
    const ours = await timed(() => run('rebuild'))
    console.log(
      `bucket, ${objects} posts: ${perSecond(objects, ours)}; bare SDK loop ${perSecond(objects, bare)}; ${(bare / ours).toFixed(2)} of it`
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
  const before = process.cpuUsage()
  const first = await timed(() => run('rebuild'))
  const { user, system } = process.cpuUsage(before)
  clearInterval(watch)
  const used = ((user + system) / 1000 / posts).toFixed(2)
  console.log(
    `folder, ${kind}, ${posts} posts of ${textBytes} bytes: ${perSecond(posts, first)}, ${used} ms of processor time each, +${Math.round((peak - idle) / 1e6)} MB`
  )
  console.log(`folder, ${kind}, nothing changed: ${Math.round(await timed(() => run('refresh')))} ms`)
  for (let round = 0; round < 3; round++) {
    await changeOne()
    console.log(`folder, ${kind}, one change: ${Math.round(await timed(() => run('refresh')))} ms`)
  }
}

/** The same posts as markdown with a layout that has a head, a header and a footer. It writes pages only, no JSON. */
async function buildWithEleventy(installed: string): Promise<void> {
  const source = path.join(folder, 'eleventy')
  mkdirSync(path.join(source, 'posts'), { recursive: true })
  mkdirSync(path.join(source, '_includes'))
  symlinkSync(path.join(installed, 'node_modules'), path.join(source, 'node_modules'))
  writeFileSync(
    path.join(source, '_includes', 'post.liquid'),
    '<!doctype html><html lang="en"><head><title>{{ title }}</title></head><body><h1>{{ title }}</h1>{{ content }}</body></html>'
  )
  const text = 'The sea rises twice a day. '.repeat(textBytes / 27)
  for (let n = 1; n <= posts; n++)
    writeFileSync(
      path.join(source, 'posts', `tides-${n}.md`),
      `---\nlayout: post.liquid\ntitle: Post ${n}\ndate: 2020-01-01\n---\n${text}\n`
    )
  const program = path.join(source, 'node_modules/@11ty/eleventy/cmd.cjs')
  const build = spawn(process.execPath, [program, '--quiet'], { cwd: source, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(build, 'exit')
  if (code !== 0) throw new Error(`Eleventy ended with ${code}.`)
}

/** As many objects of the same size, as many at once. */
async function putAll(prefix: string): Promise<void> {
  const access = { endpoint, region: 'us-east-1', accessKey: 'S3RVER', secretKey: 'S3RVER', isPathStyle: true }
  const client = await createS3Client(access, s3Limits)
  const Body = Buffer.alloc(textBytes + textBytes / 2, 'a')
  let next = 0
  const put = async () => {
    while (next < objects)
      await client.send(new PutObjectCommand({ Bucket: 'site', Key: `${prefix}/${next++}.json`, Body }))
  }
  await Promise.all(Array.from({ length: maxRequests }, put))
  client.destroy()
}
