// Views counted, reported, and reads meanwhile: node bench/analytics.ts [--server postgres://…] (or TEST_DATABASE_URL).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Db } from '../core/contract/database.ts'
import { makeGalley, type Serving } from './galley.ts'
import { startPeer } from './peer.ts'
import { seedPosts } from './seed.ts'
import { type Measured, measured, quantile } from './target.ts'
import { alternate, median, wrk } from './wrk.ts'

const { values } = parseArgs({
  options: {
    server: { type: 'string', default: process.env.TEST_DATABASE_URL },
    posts: { type: 'string', default: '10000' },
    views: { type: 'string', default: '10000000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' }
  }
})
const posts = Number(values.posts)
const views = Number(values.views)
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const days = 30
const browsers = 200
const reports = 50
/** Of each of 32 connections: 5,000 views a second at most. */
const senderPauseMs = 6

const folder = mkdtempSync(path.join(tmpdir(), 'galley-bench-views-'))
const galley = await makeGalley(values.server)
try {
  await galley.database(seed)
  const token = (await galley.command('auth', 'mint-token')).trim()
  const serving = await galley.serve('--no-worker')
  try {
    console.table([await measureCounting(serving)])
    console.table(await measureReport(serving, token))
    console.table([await measureReads(serving)])
  } finally {
    await serving.stop()
  }
} finally {
  await galley.remove()
  rmSync(folder, { recursive: true })
}

/** Posts, and the views of a month: most of them of few posts. */
async function seed(db: Db): Promise<void> {
  await seedPosts(db, posts)
  const perRow = Math.round(views / posts / days)
  await db.query(
    `insert into analytics_posts (day, post_id, views, machines)
     select current_date - day, post_id, ceil($1 * 2 * random()), floor(random() * 9)
     from posts, generate_series(0, $2 - 1) as day`,
    [perRow, days]
  )
  await db.script(
    `insert into analytics_days select day, sum(views), sum(machines) from analytics_posts group by day;
     insert into analytics_facets (day, kind, name, views)
     select current_date - day, 'referrer', 'site-' || n || '.example', 1 + n % 90 from generate_series(0, ${days - 1}) as day, generate_series(1, 1000) as n`
  )
  // Alone, as it must be.
  await db.query('vacuum analyze analytics_posts, analytics_facets, analytics_days')
}

/** What wrk sends: a view of any post, by one of some browsers, from somewhere. */
function script(pauseMs = 0): string {
  const file = path.join(folder, 'views.lua')
  writeFileSync(
    file,
    `request = function()
       local body = string.format('{"slug":"post-%d","referrer":"https://site-%d.example/a"}', math.random(0, ${posts - 1}), math.random(1, 900))
       local headers = {["content-type"] = "application/json", ["user-agent"] = "Mozilla/5.0 (X11; Linux x86_64) Firefox/" .. math.random(1, ${browsers})}
       return wrk.format("POST", nil, headers, body)
     end
     ${pauseMs > 0 ? `delay = function() return ${pauseMs} end` : ''}`
  )
  return file
}

async function measureCounting({ url, pid }: Serving) {
  const peer = await startPeer('views-baseline.ts', [])
  const send = (base: string, of: number | undefined) => () =>
    wrk(`${base}/api/analytics/view`, { seconds, script: script(), pid: of })
  await send(url, pid)()
  const found = await alternate(rounds, send(url, pid), send(peer.url, peer.child.pid))
  peer.child.kill()
  return { what: 'views a second, beside bare Fastify; target ≥ 10,000', ...found }
}

async function measureReport({ url }: Serving, token: string): Promise<Measured[]> {
  const times: number[] = []
  for (let n = 0; n < reports; n++) {
    // Each is asked for when there is something new.
    await view(url, n)
    const at = performance.now()
    const response = await fetch(`${url}/api/analytics/views?days=${days}`, {
      headers: { authorization: `Bearer ${token}` }
    })
    if (response.status !== 200) throw new Error(await response.text())
    await response.arrayBuffer()
    times.push(performance.now() - at)
    await sleep(100)
  }
  const what = `report of ${days} days over ${views} views of ${posts} posts`
  return [
    measured(`${what}, the first`, times[0] ?? Number.NaN, 'ms', '<', 250),
    measured(`${what}, p50`, median(times), 'ms', '<', 20),
    measured(`${what}, p99 without the first`, quantile(times.slice(1), 0.99), 'ms', '<', 50)
  ]
}

async function view(url: string, n: number): Promise<void> {
  await fetch(`${url}/api/analytics/view`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': `Mozilla/5.0 Firefox/${n}` },
    body: JSON.stringify({ slug: `post-${n}` })
  })
}

/** Cached and uncached reads beside a stream of views, and beside none, in turn. */
async function measureReads({ url }: Serving): Promise<Measured> {
  const ratios: number[] = []
  const rates: number[] = []
  for (let round = 0; round < rounds; round++) {
    const alone = await readFor(url, seconds * 1000)
    const sending = wrk(`${url}/api/analytics/view`, { seconds: seconds + 1, script: script(senderPauseMs) })
    await sleep(500)
    ratios.push((await readFor(url, seconds * 1000)) / alone)
    rates.push((await sending).perSecond)
  }
  const what = `reads' p99 beside ${Math.round(median(rates))} views a second, against none`
  return measured(what, median(ratios), 'times', '<', 2)
}

/** @returns p99 in ms */
async function readFor(url: string, ms: number): Promise<number> {
  const times: number[] = []
  const end = performance.now() + ms
  for (let n = 0; performance.now() < end; n++) {
    const at = performance.now()
    await (await fetch(n % 2 === 0 ? `${url}/api/posts?limit=10` : `${url}/api/posts/post-${n % posts}`)).text()
    times.push(performance.now() - at)
    await sleep(5)
  }
  return quantile(times, 0.99)
}
