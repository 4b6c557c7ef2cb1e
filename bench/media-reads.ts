// Reads beside an episode that is spoken and encoded, and beside none, in turn.
//   node bench/media-reads.ts [--rounds 3] [--sentences 640] [--server postgres://…]
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { makeGalley, type Serving } from './galley.ts'
import { seedPosts } from './seed.ts'
import { type Measured, measured, quantile } from './target.ts'
import { median } from './wrk.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    sentences: { type: 'string', default: '640' },
    server: { type: 'string' }
  }
})
const [rounds, sentences] = [Number(values.rounds), Number(values.sentences)]
/** The first reads of a process compile what they run. */
const warmUpMs = 5_000
const idleMs = 8_000
const pauseMs = 10
const phases = ['idle', 'speaking', 'encoding'] as const
type Phase = (typeof phases)[number]

const galley = await makeGalley(values.server)
try {
  const ids = await makePosts()
  const serving = await galley.serve()
  try {
    await readFor(warmUpMs, serving.url, noTimes())
    const runs: Record<Phase, number[]>[] = []
    for (const post_id of ids) runs.push(await round(serving, post_id))
    console.table(runs.map(run => Object.fromEntries(phases.map(phase => [phase, p99(run[phase]).toFixed(2)]))))
    console.table((['speaking', 'encoding'] as const).map(phase => compare(runs, phase)))
  } finally {
    await serving.stop()
  }
} finally {
  await galley.remove()
}

/** Posts to read, and a long one for each round. */
async function makePosts(): Promise<string[]> {
  const text = Array.from({ length: sentences }, (_, at) => `On day ${at} the sea rises twice, and so does the moon.`)
  return galley.database(async db => {
    await seedPosts(db, 100)
    const rows = await db.query<{ post_id: string }>(
      `update posts set content = $1 where post_id in (select post_id from posts order by slug limit $2) returning post_id`,
      [text.join('\n\n'), rounds]
    )
    return rows.map(({ post_id }) => post_id)
  })
}

/** The times of reads in milliseconds, by what else is done. */
async function round(serving: Serving, post_id: string): Promise<Record<Phase, number[]>> {
  const times = noTimes()
  await readFor(idleMs, serving.url, times)
  await galley.command('media', 'generate', post_id)
  let isMade = false
  const watch = setInterval(async () => {
    isMade ||= (await fetch(`${serving.url}/episodes/${post_id}.mp3`, { method: 'HEAD' })).ok
  }, 500)
  await readWhile(serving.url, () => (isMade ? null : phaseOf(serving.pid)), times)
  clearInterval(watch)
  return times
}

function noTimes(): Record<Phase, number[]> {
  return { idle: [], speaking: [], encoding: [] }
}

async function readFor(ms: number, url: string, times: Record<Phase, number[]>): Promise<void> {
  const end = performance.now() + ms
  await readWhile(url, () => (performance.now() < end ? 'idle' : null), times)
}

async function readWhile(url: string, phase: () => Phase | null, times: Record<Phase, number[]>): Promise<void> {
  for (let at = phase(), n = 0; at !== null; at = phase(), n++) {
    const startedAt = performance.now()
    await (await fetch(n % 2 === 0 ? `${url}/api/posts?limit=10` : `${url}/api/posts/post-${10 + (n % 80)}`)).text()
    times[at].push(performance.now() - startedAt)
    await sleep(pauseMs)
  }
}

/** By whether the process that encodes is there. */
function phaseOf(pid: number): Phase {
  const children = readdirSync(`/proc/${pid}/task`).flatMap(task => wordsOf(`/proc/${pid}/task/${task}/children`))
  return children.some(child => wordsOf(`/proc/${child}/cmdline`).some(word => word.includes('long-main')))
    ? 'encoding'
    : 'speaking'
}

function wordsOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split(/[\0 ]/).filter(Boolean)
  } catch {
    // It has ended meanwhile.
    return []
  }
}

function p99(times: readonly number[]): number {
  return quantile(times, 0.99)
}

function compare(runs: readonly Record<Phase, number[]>[], phase: Phase): Measured {
  const above = median(runs.map(run => p99(run[phase]) - p99(run.idle)))
  return measured(`reads' p99 while ${phase}, above idle`, above, 'ms', '<', 5)
}
