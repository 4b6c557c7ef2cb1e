// Search over 10,000 posts of 6 KB on PostgreSQL, against `ts_rank` over the whole match set, which plain Fastify and pg
// serve in the same run; and whether the first ten are those of an exact ranking.
//   node bench/search-posts.ts --server postgres://… [--rounds 3] [--seconds 3] [--posts 10000] [--semantic]
// With --semantic the posts are embedded first, which takes a minute.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Db } from '../core/contract/database.ts'
import { type Galley, makeGalley, type Serving } from './galley.ts'
import { type Peer, startPeer } from './peer.ts'
import { buildIndex, dropIndex } from './seed-memory.ts'
import { addTextVectors, seedVariedPosts, wordsHeldBy } from './seed-words.ts'
import { type Measured, measured, quantile } from './target.ts'
import { alternate, residentMb, wrk } from './wrk.ts'

const { values } = parseArgs({
  options: {
    server: { type: 'string', default: process.env.TEST_DATABASE_URL },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    posts: { type: 'string', default: '10000' },
    semantic: { type: 'boolean', default: false }
  }
})
if (values.server === undefined) throw new Error('Name a server: node bench/search-posts.ts --server postgres://…')
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const posts = Number(values.posts)
const warmUpSeconds = 15
const passagesOfPost = 6

interface Words {
  /** In about a third of the posts. */
  common: string[]
  /** In less than a hundredth. */
  rare: string[]
}

const galley = await makeGalley(values.server)
try {
  await galley.database(db => seedVariedPosts(db, posts))
  await galley.database(addTextVectors)
  await galley.command('search', 'update')
  if (values.semantic) {
    const index = await galley.database(dropIndex)
    await galley.command('memory', 'backfill-posts')
    await galley.database(db => buildIndex(db, index, posts * passagesOfPost))
  }
  const words = await galley.database(async db => ({
    common: await wordsHeldBy(db, posts * 0.25, posts * 0.45),
    rare: await wordsHeldBy(db, 20, posts * 0.01)
  }))
  console.log(`${posts} posts; ${words.common.length} words in about a third of them, ${words.rare.length} in few`)
  await compareSpeed(galley, words)
  await compareRanking(galley, words)
} finally {
  await galley.remove()
}

async function compareSpeed(galley: Galley, words: Words): Promise<void> {
  const peer = await startPeer('search-ts-rank.ts', [galley.databaseUrl ?? ''])
  // One address sends all of them.
  await galley.command('settings', 'set', 'rate_limit_search_per_minute', '0')
  const serving = await galley.serve()
  const { common, rare } = words
  const list = (all: readonly string[]) => `{${all.map(word => `"${word}"`).join(',')}}`
  const pick = (name: string) => `${name}[math.random(#${name})]`
  const scripts = {
    'two words of a third of the posts, 200 queries': `math.randomseed(7); local asked = {}; for i = 1, 200 do asked[i] = ${pick('common')} .. "%20" .. ${pick('common')} end
      query = function() return asked[math.random(200)] end`,
    'two words of a third of the posts, each query new': `query = function() return ${pick('common')} .. "%20" .. ${pick('common')} end`,
    'one of them and a rare one, each query new': `query = function() return ${pick('common')} .. "%20" .. ${pick('rare')} end`
  }
  const rows: Record<string, object> = {}
  for (const [name, lua] of Object.entries(scripts)) {
    const script = path.join(galley.home, 'queries.lua')
    const request = 'request = function() return wrk.format("GET", "/api/posts/search?limit=10&q=" .. query()) end'
    // The queries are new, the posts and words are not: a process that has served for a while has shown most of them.
    writeFileSync(script, `common = ${list(common)}\nrare = ${list(rare.slice(0, 2000))}\n${lua}\n${request}`)
    await wrk(serving.url, { seconds: warmUpSeconds, script })
    rows[name] = await alternate(
      rounds,
      () => wrk(serving.url, { seconds, script, pid: serving.pid }),
      () => wrk(peer.url, { seconds, script, pid: peer.child.pid })
    )
  }
  console.log('requests a second: ts_rank over all matches against galley; target: 10 times')
  console.table(rows)
  console.table(await latencies(serving, peer, words))
  console.log(`the server's memory after that: ${residentMb(serving.pid)} MB`)
  peer.child.kill()
  await serving.stop()
}

/** One request after the other, every query a new one. */
async function latencies(serving: Serving, peer: Peer, { common, rare }: Words): Promise<Measured[]> {
  const times: number[] = []
  const peerTimes: number[] = []
  for (let n = 0; n < 300; n++) {
    const q = `${common[(n * 7) % common.length]}+${n % 2 === 0 ? common[(n * 13 + 5) % common.length] : rare[n % rare.length]}`
    times.push(await timeOf(`${serving.url}/api/posts/search?limit=10&q=${q}&offset=${n % 3}`))
    if (n % 10 === 0) peerTimes.push(await timeOf(`${peer.url}/api/posts/search?q=${q}`))
  }
  return [
    measured('a new query alone, p50', quantile(times, 0.5), 'ms', '<', 5),
    measured('a new query alone, p99', quantile(times, 0.99), 'ms', '<', 50),
    { ...measured('the same by ts_rank, p50', quantile(peerTimes, 0.5), 'ms', '<', 5), target: '', met: '' }
  ]
}

async function timeOf(url: string): Promise<number> {
  const begun = performance.now()
  const response = await fetch(url)
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${url} answers ${response.status}`)
  return performance.now() - begun
}

/**
 * The first ten by words, against BM25 of every match computed in SQL from the posts themselves. Where fewer than 20 posts
 * have all the words, those that have one of them are matches as well.
 */
async function compareRanking(galley: Galley, { common, rare }: Words): Promise<void> {
  await galley.command('settings', 'set', 'search_by_meaning', 'false')
  const serving = await galley.serve()
  const answers = new Map<string, string[]>()
  for (let n = 0; n < 30; n++) {
    const q = [
      common[(n * 5) % common.length],
      (n % 3 === 0 ? rare : common)[(n * 11 + 3) % Math.min(common.length, rare.length)]
    ]
    const { items } = (await (await fetch(`${serving.url}/api/posts/search?limit=10&q=${q.join('+')}`)).json()) as {
      items: { slug: string }[]
    }
    answers.set(
      q.join(' '),
      items.map(item => item.slug)
    )
  }
  await serving.stop()
  let same = 0
  let all = 0
  await galley.database(async db => {
    for (const [q, slugs] of answers) {
      const exact = await exactRanking(db, q.split(' '))
      all += exact.length
      same += exact.filter(slug => slugs.includes(slug)).length
    }
  })
  console.log(`${same} of ${all} in the first ten of an exact ranking`)
  console.table([measured('of the exact first ten, found', (same / all) * 100, '%', '≥', 100)])
}

async function exactRanking(db: Db, terms: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ slug: string }>(
    `with size as (select count(*) as posts, avg(search_words) as words from posts where status = 'published'),
     said as (
       select p.slug, p.published_at, p.search_words, u.lexeme, cardinality(array_positions(u.weights, 'D'))
           + cardinality(array_positions(u.weights, 'C')) + 3 * cardinality(array_positions(u.weights, 'A'))
           + 1.5 * cardinality(array_positions(u.weights, 'B')) as mentions
       from posts p, unnest(p.search) u where u.lexeme = any($1::text[])
     ),
     held as (select lexeme, count(*) as posts from said group by lexeme),
     scored as (
       select slug, published_at, count(*) as terms, sum(
         ln(1 + (s.posts - h.posts + 0.5) / (h.posts + 0.5))
           * 2.6 * mentions / (mentions + 1.6 * (0.5 + 0.5 * search_words / s.words))
       ) * (1 + (extract(epoch from published_at) - 946684800) / 3800000000) as score
       from said join held h using (lexeme), size s group by slug, published_at
     )
     select slug from scored
     where terms = $2 or (select count(*) from scored where terms = $2) < 20
     order by score desc, published_at desc limit 10`,
    [terms, new Set(terms).size]
  )
  return rows.map(row => row.slug)
}
