// Search over many posts of 6 kB, beside SQLite's FTS5 and PostgreSQL's ts_rank on the same posts and queries:
//   node bench/search-trial.ts [--server postgres://…] [--posts 100000] [--queries 100] [--only galley] [--seconds 20]
// Each runs in a process of its own, one after the other; `ts_rank` and galley on PostgreSQL need --server.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { makeGalleyRival } from './search-galley.ts'
import { makeFts5, makeTsRank, type Rival } from './search-rivals.ts'
import { quantile } from './target.ts'
import { type TrialPost, type TrialQuery, trialPosts, trialQueries } from './trial-posts.ts'
import { cpuSeconds, residentMb } from './wrk.ts'

const { values } = parseArgs({
  options: {
    server: { type: 'string' },
    posts: { type: 'string', default: '100000' },
    queries: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '20' },
    only: { type: 'string' }
  }
})
const posts = Number(values.posts)
const { server } = values
const batch = 2500
const betweenPosts = 200

type Row = Record<string, string | number>

const makers: Readonly<Record<string, () => Promise<Rival>>> = {
  fts5: makeFts5,
  ...(server !== undefined && { ts_rank: () => makeTsRank(server) }),
  galley: () => makeGalleyRival(server)
}

if (values.only === undefined) {
  const rows: Record<string, Row> = {}
  for (const name of Object.keys(makers)) Object.assign(rows, await measureInChild(name))
  show(rows)
} else {
  const make = makers[values.only]
  if (make === undefined) throw new Error(`--only ${values.only} is none of ${Object.keys(makers).join(', ')}.`)
  const rows = { [values.only]: await measure(make) }
  if (process.send === undefined) show(rows)
  else process.send(rows, () => process.disconnect())
}

/** A line for each measure, a column for each index. */
function show(rows: Readonly<Record<string, Row>>): void {
  const measures = new Set(Object.values(rows).flatMap(row => Object.keys(row)))
  const line = (name: string) =>
    Object.fromEntries(Object.entries(rows).map(([rival, row]) => [rival, row[name] ?? '']))
  console.table(Object.fromEntries([...measures].map(name => [name, line(name)])))
}

async function measureInChild(name: string): Promise<Record<string, Row>> {
  const child = fork(new URL(import.meta.url).pathname, [...process.argv.slice(2), '--only', name])
  const answered = once(child, 'message')
  await Promise.race([answered, once(child, 'exit')])
  if (child.exitCode !== null && child.exitCode !== 0) throw new Error(`${name} ended with ${child.exitCode}.`)
  const [rows] = (await answered) as [Record<string, Row>]
  return rows
}

async function measure(make: () => Promise<Rival>): Promise<Row> {
  const rival = await make()
  try {
    const { bytes, seconds } = await index(rival)
    const row: Row = { 'posts a second': Math.round(posts / seconds) }
    row['index / text'] = ((await rival.indexBytes()) / bytes).toFixed(2)
    const queries = trialQueries(Number(values.queries))
    for (const [kind, all] of queries) {
      for (const query of all.slice(0, all.length / 10)) await rival.search(query)
      const before = cpuOf(rival)
      const asked = all.slice(all.length / 10)
      row[`${kind}, ms`] = formatTimes(await timesOf(rival, asked))
      row[`${kind}, CPU ms`] = (((cpuOf(rival) - before) / asked.length) * 1000).toFixed(1)
    }
    if (rival.publish !== undefined) row['beside a writer, ms'] = formatTimes(await besideWriter(rival, queries))
    row['MB resident'] = rival.pids().reduce((sum, pid) => sum + residentMb(pid), 0)
    return row
  } finally {
    await rival.close()
  }
}

/** CPU time of its own processes in seconds; a database server's is not among them. */
function cpuOf(rival: Rival): number {
  return rival.pids().reduce((sum, pid) => sum + (cpuSeconds(pid) ?? 0), 0)
}

/** p50 and p99. */
function formatTimes(times: readonly number[]): string {
  return [0.5, 0.99].map(share => quantile(times, share).toFixed(1)).join('; ')
}

/** Bytes of the texts, and seconds that their index took without what it took to make and to store the texts. */
async function index(rival: Rival): Promise<{ bytes: number; seconds: number }> {
  let bytes = 0
  let took = 0
  const timed = async (work: () => Promise<void>) => {
    const begun = performance.now()
    await work()
    took += performance.now() - begun
  }
  const some: TrialPost[] = []
  const add = async () => {
    const added = some.splice(0)
    await rival.store?.(added)
    await timed(() => rival.add(added))
  }
  for (const post of trialPosts(posts)) {
    bytes += Buffer.byteLength(post.title) + Buffer.byteLength(post.text)
    if (some.push(post) === batch) await add()
  }
  await add()
  await timed(() => rival.finish(posts))
  return { bytes, seconds: took / 1000 }
}

/** One query after the other, each asked once. */
async function timesOf(rival: Rival, queries: readonly TrialQuery[]): Promise<number[]> {
  const times: number[] = []
  for (const query of queries) {
    const begun = performance.now()
    await rival.search(query)
    times.push(performance.now() - begun)
  }
  return times
}

/** Queries of all kinds in turn while a post is published every 200 ms. */
async function besideWriter(rival: Rival, queries: ReadonlyMap<string, TrialQuery[]>): Promise<number[]> {
  const mixed = [...trialQueries(5000 + Number(values.queries)).values()].map(all => all.slice(-5000))
  const until = performance.now() + Number(values.seconds) * 1000
  const writing = (async () => {
    for (const post of trialPosts(Number.MAX_SAFE_INTEGER, posts)) {
      if (performance.now() > until) return
      await Promise.all([rival.publish?.(post), sleep(betweenPosts)])
    }
  })()
  const times: number[] = []
  for (let n = 0; performance.now() < until; n++) {
    const query = mixed[n % queries.size]?.[Math.floor(n / queries.size) % 5000]
    if (query !== undefined) times.push(...(await timesOf(rival, [query])))
  }
  await writing
  return times
}
