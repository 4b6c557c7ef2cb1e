import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createPostgres } from '../cli/database/postgres/postgres.ts'
import { createLog } from '../cli/log/json-log.ts'
import type { Db } from '../core/contract/database.ts'
import { event, job, jobType, on } from '../core/contract/plugin.ts'
import { createJobs, type Jobs } from '../core/jobs/jobs.ts'
import { openEmbedded, openOnServer } from '../test/helpers/database.ts'

// Durable jobs: how fast they drain, how soon they are picked up, what they cost when there is nothing to do.
// node bench/jobs.ts: embedded, and on the server of TEST_DATABASE_URL if that is set.

type Row = Record<string, string | number>

const NoOp = event<{ n: number }>('bench.no-op')
const PickUp = jobType<{ n: number }>('bench.pick-up')
const Hang = jobType<{ n: number }>('bench.hang')
const log = createLog('error')
const kindsOfOthers = 30
const drained = 10_000
const samples = 200

const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

async function since(startedAt: number, condition: () => boolean): Promise<number> {
  while (!condition()) await sleep(1)
  return performance.now() - startedAt
}

function quantile(values: readonly number[], share: number): string {
  const sorted = values.toSorted((a, b) => a - b)
  return `${Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)} ms`
}

/** Statements sent through the handle; the listening connection's heartbeat is not among them. */
function counting(db: Db): { db: Db; statements(): number } {
  let count = 0
  const counted = {
    query: (...args: Parameters<Db['query']>) => {
      count += 1
      return db.query(...args)
    },
    transaction: (work: Parameters<Db['transaction']>[0]) => {
      count += 3
      return db.transaction(work)
    }
  }
  return { db: { ...db, ...counted } as Db, statements: () => count }
}

async function measureStart(db: Db, jobs: Jobs): Promise<Row> {
  const times: number[] = []
  for (const step of [jobs.install, jobs.install, jobs.start]) {
    const startedAt = performance.now()
    await step()
    times.push(performance.now() - startedAt)
  }
  const [fresh, again, start] = times.map(time => `${Math.round(time)} ms`)
  return { database: db.kind, 'install fresh': fresh ?? '', 'install again': again ?? '', start: start ?? '' }
}

async function measureHere(handle: Db): Promise<Row> {
  const { db, statements } = counting(handle)
  const jobs = createJobs({ db, log })
  let ran = 0
  let pickedUpAt = 0
  const noOp = on(NoOp, async () => {
    ran += 1
  })
  const pickUp = job(PickUp, async () => {
    pickedUpAt = performance.now()
  })
  const others = Array.from({ length: kindsOfOthers }, (_, n) => on(event(`bench.event-${n}`), async () => {}))
  jobs.register('bench', [pickUp, job(Hang, async () => {})], [noOp, ...others])
  const row = await measureStart(db, jobs)

  const all = Array.from({ length: drained }, (_, n) => ({ n }))
  let startedAt = performance.now()
  await db.transaction(tx => jobs.emit(tx, NoOp, all))
  row[`queue ${drained}`] = `${Math.round(performance.now() - startedAt)} ms`
  row['drained per s, queueing included'] = Math.round(
    (drained / (await since(startedAt, () => ran === drained))) * 1000
  )

  const waits: number[] = []
  for (let n = 0; n < samples; n++) {
    pickedUpAt = 0
    await db.transaction(tx => jobs.enqueue(tx, PickUp, { n }))
    startedAt = performance.now()
    await since(startedAt, () => pickedUpAt > 0)
    waits.push(Math.max(0, pickedUpAt - startedAt))
  }
  row['pick-up here p50'] = quantile(waits, 0.5)
  row.p99 = quantile(waits, 0.99)

  await sleep(2_000)
  const earlier = statements()
  await sleep(15_000)
  row['idle statements per s'] = ((statements() - earlier) / 15).toFixed(1)
  await jobs.stop(1)
  return row
}

function startChild(url: string, ...args: string[]): ChildProcess {
  return fork(new URL('jobs-child.ts', import.meta.url), [url, ...args])
}

async function answerOf(child: ChildProcess): Promise<number> {
  const [{ at }] = (await once(child, 'message')) as [{ at: number }]
  return at
}

/** This process queues and works nothing; the others pick up. */
async function measureElsewhere(db: Db, url: string): Promise<Row> {
  const jobs = createJobs({ db, log })
  jobs.register('bench', [job(PickUp, async () => {}), job(Hang, async () => {})], [])
  const child = startChild(url, 'hang')
  await answerOf(child)
  const waits: number[] = []
  for (let n = 1; n <= samples; n++) {
    const answer = answerOf(child)
    await db.transaction(tx => jobs.enqueue(tx, PickUp, { n }))
    const committedAt = Date.now()
    waits.push(Math.max(0, (await answer) - committedAt))
  }
  const delays: number[] = []
  for (let n = 1; n <= 10; n++) {
    const answer = answerOf(child)
    const startAt = new Date(Date.now() + 500 + n * 37)
    await db.transaction(tx => jobs.enqueue(tx, PickUp, { n }, { startAt }))
    delays.push((await answer) - startAt.getTime())
  }
  const takeoverMs = await measureTakeover(db, jobs, url, child)
  return {
    'pick-up elsewhere p50': quantile(waits, 0.5),
    p99: quantile(waits, 0.99),
    'after its startAt p50': quantile(delays, 0.5),
    max: quantile(delays, 1),
    'taken over after kill -9': `${(takeoverMs / 1000).toFixed(1)} s`
  }
}

async function measureTakeover(db: Db, jobs: Jobs, url: string, child: ChildProcess): Promise<number> {
  const begun = answerOf(child)
  await db.transaction(tx => jobs.enqueue(tx, Hang, { n: 0 }))
  await begun
  const other = startChild(url)
  await answerOf(other)
  // Longer than a beat, so that the kill does not follow the claim closely: the worst is just after a beat.
  await sleep(3_500)
  child.kill('SIGKILL')
  const killedAt = Date.now()
  const takeoverMs = (await answerOf(other)) - killedAt
  other.kill('SIGKILL')
  return takeoverMs
}

const embedded = await openEmbedded({ migrated: false })
console.table([await measureHere(embedded)])
await embedded.close()
const server = process.env.TEST_DATABASE_URL
if (server !== undefined) {
  const { db, url } = await openOnServer(server, { migrated: false })
  console.table([await measureHere(db)])
  const caller = createPostgres({ url, max: 2 })
  console.table([await measureElsewhere(caller, url)])
  await caller.close()
  await db.close()
}
