// Public reads of a real service with 10,000 posts, against a bare Fastify handler that sends the same bytes; cold reads
// against plain Fastify and pg; authenticated reads; memory and start-up.
//   node bench/reads.ts [--server postgres://…] [--rounds 3] [--seconds 3] [--posts 10000]
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Galley, makeGalley, type Serving } from './galley.ts'
import { type Peer, startPeer } from './peer.ts'
import { seedPosts } from './seed.ts'
import { alternate, residentMb, wrk } from './wrk.ts'

const { values } = parseArgs({
  options: {
    server: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    posts: { type: 'string', default: '10000' }
  }
})
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const posts = Number(values.posts)
const where = values.server === undefined ? 'embedded' : 'PostgreSQL'

const setupBegun = performance.now()
const galley = await makeGalley(values.server)
const setupMs = performance.now() - setupBegun
try {
  await galley.database(db => seedPosts(db, posts))
  await warmReads(galley)
  if (galley.databaseUrl !== undefined) await coldReads(galley, galley.databaseUrl)
  await pagesByCursor(galley)
} finally {
  await galley.remove()
}

async function warmReads(galley: Galley): Promise<void> {
  const serving = await galley.serve()
  await new Promise(resolve => setTimeout(resolve, 2000))
  console.log(
    `\n${where}: setup ${Math.round(setupMs)} ms, serve ready after ${Math.round(serving.startedInMs)} ms, idle ${residentMb(serving.pid)} MB`
  )
  const paths = [
    '/api/posts?limit=10',
    '/api/posts/post-100',
    '/api/categories',
    '/api/tags',
    '/feed.xml',
    '/atom.xml',
    '/feed.json',
    '/tags/tag-1/atom.xml',
    '/',
    '/posts/post-100'
  ]
  const baseline = await startPeer(
    'reads-baseline.ts',
    paths.map(target => serving.url + target)
  )
  const rows: Record<string, object> = {}
  for (const target of paths) rows[target] = await compare(serving, baseline, target)
  const etag = (await fetch(`${serving.url}${paths[0]}`)).headers.get('etag') ?? ''
  const conditional = { seconds, headers: { 'if-none-match': etag } }
  rows['304'] = {
    galley: Math.round((await wrk(serving.url + paths[0], { ...conditional, pid: serving.pid })).perSecond)
  }
  const token = (await galley.command('auth', 'mint-token')).trim()
  const authorised = { seconds, headers: { authorization: `Bearer ${token}` }, pid: serving.pid }
  rows['/api/posts/post-100 with a token'] = {
    galley: Math.round((await wrk(`${serving.url}/api/posts/post-100`, authorised)).perSecond)
  }
  console.log(`${where}: requests a second, bare Fastify with the same bytes against galley; target: a ratio of 0.80`)
  console.table(rows)
  baseline.child.kill()
  await serving.stop()
}

function compare(serving: Serving, baseline: Peer, target: string) {
  return alternate(
    rounds,
    () => wrk(serving.url + target, { seconds, pid: serving.pid }),
    () => wrk(baseline.url + target, { seconds, pid: baseline.child.pid })
  )
}

/** Every request another post, with a cache of one megabyte: nearly all of them miss. */
async function coldReads(galley: Galley, databaseUrl: string): Promise<void> {
  await galley.command('settings', 'set', 'http_cache_mb', '1')
  const serving = await galley.serve()
  const peer = await startPeer('reads-plain-pg.ts', [databaseUrl])
  const scripts = {
    'one post': `request = function() return wrk.format("GET", "/api/posts/post-" .. math.random(0, ${posts - 1})) end`,
    'list of 10 at an offset': `request = function() return wrk.format("GET", "/api/posts?limit=10&offset=" .. math.random(0, 50)) end`
  }
  const rows: Record<string, object> = {}
  for (const [name, lua] of Object.entries(scripts)) {
    const script = path.join(galley.home, `${name.replaceAll(' ', '-')}.lua`)
    writeFileSync(script, lua)
    for (const connections of [32, 1]) {
      rows[`${name}, ${connections} readers`] = await alternate(
        rounds,
        () => wrk(serving.url, { seconds, script, connections, pid: serving.pid }),
        () => wrk(peer.url, { seconds, script, connections, pid: peer.child.pid })
      )
    }
  }
  console.log(
    `${where}: cold reads a second, plain Fastify and pg with the same statement against galley; target: a ratio of 0.70`
  )
  console.table(rows)
  peer.child.kill()
  await serving.stop()
  await galley.command('settings', 'set', 'http_cache_mb', '64')
}

/** Time of a page at several depths by cursor; each page is asked for once, so none is warm. */
async function pagesByCursor(galley: Galley): Promise<void> {
  const serving = await galley.serve()
  const depths = new Map<number, number[]>()
  let cursor = ''
  for (let page = 0; page * 100 < posts; page++) {
    const begun = performance.now()
    const response = await fetch(`${serving.url}/api/posts?limit=100${cursor}`)
    const { next_cursor } = (await response.json()) as { next_cursor: string | null }
    const bucket = Math.floor((page * 100 * 5) / posts)
    depths.set(bucket, [...(depths.get(bucket) ?? []), performance.now() - begun])
    if (next_cursor === null) break
    cursor = `&cursor=${next_cursor}`
  }
  const rows = [...depths].map(([bucket, times]) => ({
    'posts before': `${(bucket * posts) / 5}…`,
    'ms a page of 100': (times.reduce((a, b) => a + b, 0) / times.length).toFixed(1)
  }))
  console.log(`${where}: cold pages by cursor`)
  console.table(rows)
  await serving.stop()
}
