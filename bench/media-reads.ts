// Reads beside an episode that is spoken and encoded, and beside none, in turn; and the longest iterations of the event loop.
//   node bench/media-reads.ts [--rounds 3] [--sentences 640] [--server postgres://…]
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { makeGalley, type Serving } from './galley.ts'
import { type LoopIteration, measuringIterations, readIterations } from './loop-iterations.ts'
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
const rounds = Number(values.rounds)
const sentences = Number(values.sentences)
/** The first reads of a process compile what they run, and after 30 s its worker looks at everything for the first time. */
const warmUpMs = 45_000
const idleMs = 8_000
/** What follows a new episode, such as its post in an export. */
const followMs = 4_000
const pauseMs = 10
const phases = ['idle', 'speaking', 'encoding'] as const
type Phase = (typeof phases)[number]

interface Read {
  /** `Date.now()` at its end. */
  at: number
  ms: number
}
type Reads = Record<Phase, Read[]>

const iterationsFile = path.join(mkdtempSync(path.join(tmpdir(), 'galley-iterations-')), 'iterations')
Object.assign(process.env, measuringIterations(iterationsFile))
const galley = await makeGalley(values.server)
try {
  const ids = await makePosts()
  const serving = await galley.serve()
  try {
    await readFor(warmUpMs, serving, noReads())
    const runs: Reads[] = []
    for (const [at, post_id] of ids.entries()) runs.push(await round(serving, post_id, at))
    const iterations = readIterations(iterationsFile)
    console.table(runs.map(run => Object.fromEntries(phases.map(phase => [phase, p99(run[phase]).toFixed(2)]))))
    console.table([
      ...(['speaking', 'encoding'] as const).map(phase => compare(runs, phase)),
      ...phases.map(phase => longestIteration(runs, iterations, phase))
    ])
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

/** The reads, by what else is done. */
async function round(serving: Serving, post_id: string, madeBefore: number): Promise<Reads> {
  const reads = noReads()
  await readFor(idleMs, serving, reads)
  await galley.command('media', 'generate', post_id)
  await readWhile(serving, phase => (episodes() > madeBefore ? null : phase), reads)
  await readFor(followMs, serving, noReads())
  return reads
}

/** How many there are. */
function episodes(): number {
  return namesIn(path.join(galley.home, 'media', 'episodes')).filter(name => name.endsWith('.mp3')).length
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // Nothing was stored yet.
    return []
  }
}

function noReads(): Reads {
  return { idle: [], speaking: [], encoding: [] }
}

async function readFor(ms: number, serving: Serving, reads: Reads): Promise<void> {
  const end = performance.now() + ms
  await readWhile(serving, () => (performance.now() < end ? 'idle' : null), reads)
}

/** `phaseNow` is given what the processes say, in idle times as well: to look at them takes time. */
async function readWhile({ url, pid }: Serving, phaseNow: (seen: Phase) => Phase | null, reads: Reads): Promise<void> {
  for (let phase = phaseNow(phaseOf(pid)), n = 0; phase !== null; phase = phaseNow(phaseOf(pid)), n++) {
    const startedAt = performance.now()
    await (await fetch(n % 2 === 0 ? `${url}/api/posts?limit=10` : `${url}/api/posts/post-${10 + (n % 80)}`)).text()
    reads[phase].push({ at: Date.now(), ms: performance.now() - startedAt })
    await sleep(pauseMs)
  }
}

/** By whether the process that encodes is there. */
function phaseOf(pid: number): Phase {
  const children = readdirSync(`/proc/${pid}/task`).flatMap(thread => fieldsIn(`/proc/${pid}/task/${thread}/children`))
  return children.some(child => fieldsIn(`/proc/${child}/cmdline`).some(word => word.includes('long-main')))
    ? 'encoding'
    : 'speaking'
}

function fieldsIn(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split(/[\0 ]/).filter(Boolean)
  } catch {
    // It has ended meanwhile.
    return []
  }
}

function p99(reads: readonly Read[]): number {
  return quantile(
    reads.map(({ ms }) => ms),
    0.99
  )
}

function compare(runs: readonly Reads[], phase: Phase): Measured {
  const above = median(runs.map(run => p99(run[phase]) - p99(run.idle)))
  return measured(`reads' p99 while ${phase}, above idle`, above, 'ms', '<', 5)
}

/** From the first to the last read of a phase. */
function longestIteration(runs: readonly Reads[], iterations: readonly LoopIteration[], phase: Phase): Measured {
  const spans = runs.map(run => ({ from: run[phase][0]?.at ?? Infinity, to: run[phase].at(-1)?.at ?? 0 }))
  const within = iterations.filter(({ at }) => spans.some(({ from, to }) => at >= from && at <= to))
  const longest = Math.max(0, ...within.map(({ cpuMs }) => cpuMs))
  return measured(`longest iteration of the event loop while ${phase}, its own CPU time`, longest, 'ms', '<', 20)
}
