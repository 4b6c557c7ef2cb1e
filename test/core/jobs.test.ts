import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, test } from 'node:test'
import { createDeadLetterJobs } from '../../cli/jobs/dead-letters.ts'
import type { Db } from '../../core/contract/database.ts'
import { ConflictError, NotFoundError } from '../../core/contract/errors.ts'
import type { Delivery, JobType } from '../../core/contract/jobs.ts'
import { job, jobType } from '../../core/contract/plugin.ts'
import type { Jobs } from '../../core/jobs/jobs.ts'
import { forgetDeaths, reclaimLost } from '../../core/jobs/repository.ts'
import { openTestDatabase, testServerUrl } from '../helpers/database.ts'
import { until } from '../helpers/until.ts'
import { createProcess, loseWaiting, skipBackoff, startProcess, stopProcesses } from './jobs-setup.ts'

let db: Db
before(async () => {
  db = await openTestDatabase({ migrated: false })
})
after(() => db.close())
afterEach(stopProcesses)

interface Data {
  n: number
}
/** Jobs with these numbers, in one transaction. */
const queueAll = (jobs: Jobs, type: JobType<Data>, numbers: readonly number[]) =>
  db.transaction(async tx => {
    for (const n of numbers) await jobs.enqueue(tx, type, { n })
  })
/** A kind of its own for each test: they share a database. */
const newType = () => jobType<Data>(`test.${randomUUID()}`)
const ignore = async () => {}
const statsOf = async (jobs: { stats(): Promise<{ queue: string }[]> }, queue: string) =>
  (await jobs.stats()).find(stats => stats.queue === queue)

test('a job of a transaction that rolled back does not exist, one that committed runs with its data', async () => {
  const type = newType()
  const ran: number[] = []
  const jobs = await startProcess(db, { jobs: [job(type, async ({ n }) => void ran.push(n))] })
  const failing = db.transaction(async tx => {
    await jobs.enqueue(tx, type, { n: 1 })
    throw new Error('no')
  })
  await assert.rejects(failing, /no/)
  await db.transaction(tx => jobs.enqueue(tx, type, { n: 2 }))
  await until(() => ran.length > 0)
  assert.deepEqual(ran, [2])
  await until(async () => (await db.query('select from jobs.job where name = $1', [type.id])).length === 0)
})

test('a process that neither installs nor starts can queue a job for another', async () => {
  const type = newType()
  const ran: number[] = []
  await startProcess(db, { jobs: [job(type, async ({ n }) => void ran.push(n))] })
  const command = createProcess(db, { jobs: [job(type, ignore)] })
  await db.transaction(tx => command.enqueue(tx, type, { n: 1 }))
  await until(() => ran.length === 1)
})

test('a job that no plugin declares is refused, and so is a second declaration', async () => {
  const type = newType()
  const jobs = createProcess(db)
  await assert.rejects(
    db.transaction(tx => jobs.enqueue(tx, type, { n: 1 })),
    new RegExp(`No plugin declares the job ${type.id}`)
  )
  jobs.register('one', [job(type, ignore)], [])
  assert.throws(() => jobs.register('two', [job(type, ignore)], []), /of two is already declared by one/)
})

test('a job waits for its time', async () => {
  const type = newType()
  const ran: number[] = []
  const jobs = await startProcess(db, { jobs: [job(type, async ({ n }) => void ran.push(n))] })
  await db.transaction(async tx => {
    await jobs.enqueue(tx, type, { n: 1 }, { startAt: new Date(Date.now() + 3_600_000) })
    await jobs.enqueue(tx, type, { n: 2 }, { startAt: new Date(Date.now() - 3_600_000) })
  })
  await until(() => ran.length === 1)
  assert.deepEqual(ran, [2])
  await db.query('update jobs.job set start_after = now() where name = $1', [type.id])
  await until(() => ran.length === 2)
})

test('a failing job is tried again, under the same id', async () => {
  const type = newType()
  const deliveries: Delivery[] = []
  const handle = async (_: Data, delivery: Delivery) => {
    deliveries.push(delivery)
    if (deliveries.length < 3) throw new Error(`a \0 and \ud800 in the text, time ${deliveries.length}`)
  }
  const jobs = await startProcess(db, { jobs: [job(type, handle)] })
  await db.transaction(tx => jobs.enqueue(tx, type, { n: 1 }))
  await until(async () => {
    await skipBackoff(db)
    return deliveries.length === 3
  })
  assert.equal(new Set(deliveries.map(({ id }) => id)).size, 1)
  assert.deepEqual(
    deliveries.map(({ deliveryCount }) => deliveryCount),
    [1, 2, 3]
  )
})

test('a job whose last retry failed is parked, told of once, and can be started anew', async () => {
  const type = newType()
  const calls: [Data, string][] = []
  let isBroken = true
  let runs = 0
  const handle = async () => {
    runs += 1
    if (isBroken) throw new RangeError('it is broken')
  }
  const onDeadLetter = async (data: Data, error: Error) => void calls.push([data, `${error}`])
  const jobs = await startProcess(db, { jobs: [job(type, handle, { retries: 1, onDeadLetter })] })
  await db.transaction(tx => jobs.enqueue(tx, type, { n: 7 }))
  await until(async () => {
    await skipBackoff(db)
    return calls.length > 0
  })
  assert.deepEqual(calls, [[{ n: 7 }, 'RangeError: it is broken']])
  assert.equal(runs, 2)
  const parked = (await createDeadLetterJobs({ db, jobs }).list()).items.filter(({ queue }) => queue === type.id)
  assert.deepEqual(
    parked.map(({ data, error, attempts }) => ({ data, error, attempts })),
    [{ data: { n: 7 }, error: 'it is broken', attempts: 2 }]
  )
  assert.partialDeepStrictEqual(await statsOf(jobs, type.id), { ready: 0, active: 0, parked: 1, oldest_seconds: null })
  assert.equal(jobs.lines.filter(({ level, queue }) => level === 50 && queue === type.id).length, 1)

  isBroken = false
  await createDeadLetterJobs({ db, jobs }).retry(parked[0]?.id ?? '', 'operator')
  await until(() => runs === 3)
  await until(async () => (await db.query('select from jobs.job where name = $1', [type.id])).length === 0)
  await assert.rejects(createDeadLetterJobs({ db, jobs }).retry(randomUUID(), 'operator'), NotFoundError)
})

test('a job that throws what has no text, or none that can be read, is parked like any other', async () => {
  const refuse = () => {
    throw new Error('not for you')
  }
  const secretive = Object.defineProperty(new Error(), 'message', { get: refuse })
  const thrown: unknown[] = [
    Object.create(null),
    { toString: refuse },
    secretive,
    new Proxy(new Error(), { get: refuse, getPrototypeOf: refuse }),
    Symbol('tide'),
    Object.freeze(new Error('frozen')),
    null
  ]
  const type = newType()
  const parked: [number, string][] = []
  const handle = async ({ n }: Data) => {
    throw thrown[n]
  }
  const onDeadLetter = async ({ n }: Data, { message }: Error) => void parked.push([n, message])
  const jobs = await startProcess(db, { jobs: [job(type, handle, { retries: 0, onDeadLetter })] })
  for (const n of thrown.keys()) await db.transaction(tx => jobs.enqueue(tx, type, { n }))
  await until(() => parked.length === thrown.length)
  const textless = 'what was thrown has no text'
  assert.deepEqual(
    parked.sort(([a], [b]) => a - b).map(([, message]) => message),
    [textless, textless, textless, textless, 'Symbol(tide)', 'frozen', 'null']
  )
})

test('a parked job that cannot be started anew keeps no other from it, and is named', async () => {
  const choosy = newType()
  const restarted: number[] = []
  const onRetry = async (_: unknown, { n }: Data) => {
    if (n === 1) throw new ConflictError('Its task is busy.')
    restarted.push(n)
    return 'nothing to do'
  }
  const handle = async () => {
    throw new Error('it is broken')
  }
  const jobs = await startProcess(db, { jobs: [job(choosy, handle, { retries: 0, onRetry })] })
  const deadLettersOf = async (type: JobType<Data>) =>
    (await createDeadLetterJobs({ db, jobs }).list({ queue: type.id })).items
  for (const n of [1, 2, 3]) await db.transaction(tx => jobs.enqueue(tx, choosy, { n }))
  await until(async () => (await deadLettersOf(choosy)).length === 3)
  await db.query(`update jobs.job set completed_on = now() - interval '1 hour' where name = $1 and data->>'n' = '1'`, [
    choosy.id
  ])
  const [stays] = (await deadLettersOf(choosy)).filter(({ data }) => (data as Data).n === 1)
  await assert.rejects(createDeadLetterJobs({ db, jobs }).retryAll(choosy.id, 'operator'), {
    code: 'CONFLICT',
    message: `1 job stays parked, the first ${stays?.id} (${choosy.id}): Its task is busy. Started again: 0, dropped: 2.`
  })
  assert.deepEqual(restarted.sort(), [2, 3])
  assert.deepEqual(
    (await deadLettersOf(choosy)).map(({ id }) => id),
    [stays?.id]
  )
  await assert.rejects(createDeadLetterJobs({ db, jobs }).retry(stays?.id ?? '', 'operator'), {
    message: 'Its task is busy.'
  })
})

test('a job of a process that went silent is started again at once', async () => {
  const type = newType()
  const deliveryCounts: number[] = []
  const jobs = createProcess(db, { jobs: [job(type, ignore)] })
  await jobs.install()
  await db.transaction(tx => jobs.enqueue(tx, type, { n: 1 }))
  await loseWaiting(db, type.id, 0)
  await startProcess(db, { jobs: [job(type, async (_, { deliveryCount }) => void deliveryCounts.push(deliveryCount))] })
  await until(() => deliveryCounts.length === 1)
  assert.deepEqual(deliveryCounts, [2])
})

test('a job that lost its last retry with its process is parked and told of', async () => {
  const type = newType()
  const parked: string[] = []
  const onDeadLetter = async (_: Data, error: Error) => void parked.push(error.message)
  const silent = createProcess(db, { jobs: [job(type, ignore)] })
  await silent.install()
  await db.transaction(tx => silent.enqueue(tx, type, { n: 1 }))
  await loseWaiting(db, type.id, 5)
  const jobs = await startProcess(db, { jobs: [job(type, () => assert.fail('ran'), { onDeadLetter })] })
  await until(() => parked.length === 1)
  assert.deepEqual(parked, [
    'Its process died while it ran (killed, out of memory, or crashed), and it has no retries left.'
  ])
  assert.partialDeepStrictEqual(await statsOf(jobs, type.id), { parked: 1 })
})

/** What a second process finds of a job whose first process died, and whose second has died as well. */
const secondDeaths: [
  what: string,
  left: { output: object; isEndless?: boolean; retryCount?: number },
  runsAgain: number[]
][] = [
  ['while it ran', { output: { process_died: true, has_begun: true } }, []],
  ['when it was only claimed', { output: { process_died: true } }, [2]],
  [
    'while it ran, which it does whenever a process does',
    { output: { process_died: true, has_begun: true }, isEndless: true },
    [3]
  ],
  [
    'more often than a job has retries while it ran, which it does whenever a process does',
    { output: { process_died: true, has_begun: true }, isEndless: true, retryCount: 5 },
    [6]
  ],
  ['while it ran, the first time', { output: { message: 'It failed before.' } }, [3]]
]
for (const [what, { output, isEndless = false, retryCount = 1 }, runsAgain] of secondDeaths) {
  const end = runsAgain.length === 0 ? 'parked with that reason' : 'run again'
  test(`a job whose process died again ${what} is ${end}`, async () => {
    const type = newType()
    const deliveryCounts: number[] = []
    const parked: string[] = []
    const onDeadLetter = async (_: Data, error: Error) => void parked.push(error.message)
    const dead = createProcess(db, { jobs: [job(type, ignore)] })
    await dead.install()
    await db.transaction(tx => dead.enqueue(tx, type, { n: 1 }))
    await loseWaiting(db, type.id, retryCount)
    await db.query('update jobs.job set output = $2 where name = $1', [type.id, JSON.stringify(output)])
    const run = async (_: Data, { deliveryCount }: Delivery) => void deliveryCounts.push(deliveryCount)
    const jobs = await startProcess(db, { jobs: [job(type, run, { isEndless, onDeadLetter })] })
    await until(() => deliveryCounts.length + parked.length === 1)
    assert.deepEqual(deliveryCounts, runsAgain)
    if (runsAgain.length > 0) return
    assert.match(parked[0] ?? '', /^Its process died twice while it ran .*: it is not tried again\.$/)
    const { items } = await createDeadLetterJobs({ db, jobs }).list({ queue: type.id })
    assert.deepEqual([items[0]?.error, items[0]?.attempts], [parked[0], 2])
    await createDeadLetterJobs({ db, jobs }).retry(items[0]?.id ?? '', 'operator')
    await until(() => deliveryCounts.length === 1)
  })
}

test('a job that takes more deaths than two waits from the third on, and what it achieves makes the count begin anew', async () => {
  const type = newType()
  const jobs = createProcess(db, { jobs: [job(type, ignore)] })
  await jobs.install()
  await db.transaction(tx => jobs.enqueue(tx, type, { n: 1 }))
  // Without retries left: a death takes none.
  await loseWaiting(db, type.id, 5)
  const die = async () => {
    const found = await reclaimLost(db, [], { [type.id]: 5 })
    const [row] = await db.query<{ id: string; retry_count: number; seconds: number }>(
      `update jobs.job set state = 'active', heartbeat_on = now() - interval '11 s', output = output || '{"has_begun": true}'
       where name = $1 returning id, retry_count, round(extract(epoch from start_after - now()))::int as seconds`,
      [type.id]
    )
    assert.ok(row)
    return { ...row, deaths: found.find(({ queue, found }) => queue === type.id && found === 'lost')?.deaths }
  }
  const waits = async () => [(await die()).seconds, (await die()).seconds, (await die()).seconds, (await die()).seconds]
  assert.deepEqual(await waits(), [0, 0, 10, 20])
  const { id, retry_count, deaths } = await die()
  assert.deepEqual([retry_count, deaths], [5, 5])
  await forgetDeaths(db, type.id, { id, retryCount: 5 })
  assert.deepEqual((await waits()).slice(0, 3), [0, 10, 20])
  await db.query('delete from jobs.job where name = $1', [type.id])
})

test('a failure, a stop and a start in between do not make one forget that a process died of a job', async () => {
  const type = newType()
  const dead = createProcess(db, { jobs: [job(type, ignore)] })
  await dead.install()
  await db.transaction(tx => dead.enqueue(tx, type, { n: 1 }))
  await loseWaiting(db, type.id, 0)
  const outputOf = async () =>
    (
      await db.query<{ state: string; output: { message?: string } }>(
        'select state, output from jobs.job where name = $1',
        [type.id]
      )
    )[0]
  const begun = Promise.withResolvers<void>()
  const hang = async (_: Data, { signal }: Delivery) => {
    begun.resolve()
    await new Promise(resolve => signal.addEventListener('abort', resolve))
  }
  await startProcess(db, { jobs: [job(type, hang)] })
  await begun.promise
  assert.deepEqual(await outputOf(), { state: 'active', output: { process_died: true, has_begun: true } })
  await stopProcesses()
  assert.deepEqual(await outputOf(), { state: 'retry', output: { process_died: true } })
  await startProcess(db, { jobs: [job(type, () => Promise.reject(new Error('no')))] })
  await until(async () => (await outputOf())?.output?.message === 'no')
  assert.partialDeepStrictEqual(await outputOf(), { state: 'retry', output: { process_died: true } })
})

test('a run that notes progress forgets the deaths before it', async () => {
  const type = newType()
  const dead = createProcess(db, { jobs: [job(type, ignore)] })
  await dead.install()
  await db.transaction(tx => dead.enqueue(tx, type, { n: 1 }))
  await loseWaiting(db, type.id, 0)
  await db.query(
    `update jobs.job set state = 'retry', output = '{"process_died": true, "deaths": 3}' where name = $1`,
    [type.id]
  )
  const outputs: object[] = []
  const outputOf = async () =>
    (await db.query<{ output: object }>('select output from jobs.job where name = $1', [type.id]))[0]
  const run = async (_: Data, { recordProgress }: Delivery) => {
    outputs.push((await outputOf())?.output ?? {})
    await recordProgress()
    outputs.push((await outputOf())?.output ?? {})
  }
  await startProcess(db, { jobs: [job(type, run)] })
  await until(() => outputs.length === 2)
  assert.deepEqual(outputs, [
    { process_died: true, deaths: 3, has_begun: true },
    { process_died: true, has_begun: true }
  ])
})

test('onDeadLetter is tried again when it fails itself', async () => {
  const type = newType()
  let calls = 0
  const onDeadLetter = async () => {
    calls += 1
    if (calls === 1) throw new Error('not yet')
  }
  const jobs = await startProcess(db, {
    jobs: [job(type, () => Promise.reject(new Error('always')), { retries: 0, onDeadLetter })]
  })
  await db.transaction(tx => jobs.enqueue(tx, type, { n: 1 }))
  await until(async () => {
    await skipBackoff(db)
    return calls === 2
  })
  assert.equal(jobs.lines.filter(({ level, queue }) => level === 50 && queue === type.id).length, 1)
})

test('of the jobs with one key one waits at a time, at the sooner time', async () => {
  const type = newType()
  const ran: number[] = []
  const jobs = await startProcess(db, { jobs: [job(type, async ({ n }) => void ran.push(n))] })
  const startAt = new Date(Date.now() + 3_600_000)
  await db.transaction(async tx => {
    await jobs.enqueue(tx, type, { n: 1 }, { key: 'a', startAt })
    await jobs.enqueue(tx, type, { n: 2 }, { key: 'a', startAt })
    await jobs.enqueue(tx, type, { n: 3 }, { key: 'b', startAt })
    await jobs.enqueue(tx, type, { n: 4 }, { startAt })
    await jobs.enqueue(tx, type, { n: 5 }, { startAt })
  })
  const waiting = await db.query<{ n: number }>(`select data->'n' as n from jobs.job where name = $1 order by 1`, [
    type.id
  ])
  assert.deepEqual(
    waiting.map(({ n }) => n),
    [1, 3, 4, 5]
  )
  await db.transaction(tx => jobs.enqueue(tx, type, { n: 6 }, { key: 'a' }))
  await until(() => ran.length === 1)
  assert.deepEqual(ran, [1])
})

test('a job queued while one of its key runs is run after it', async () => {
  const type = newType()
  const ran: number[] = []
  const first = Promise.withResolvers<void>()
  const handle = async ({ n }: Data) => {
    ran.push(n)
    if (n === 1) await first.promise
  }
  const jobs = await startProcess(db, { jobs: [job(type, handle)] })
  await db.transaction(tx => jobs.enqueue(tx, type, { n: 1 }, { key: 'a' }))
  await until(() => ran.length === 1)
  await db.transaction(tx => jobs.enqueue(tx, type, { n: 2 }, { key: 'a' }))
  first.resolve()
  await until(() => ran.length === 2)
  assert.deepEqual(ran, [1, 2])
})

test('a waiting job that a transaction has joined starts when that commits', { skip: !testServerUrl }, async () => {
  const type = newType()
  const later = newType()
  const order: string[] = []
  const jobs = createProcess(db, { jobs: [job(type, ignore)] })
  await jobs.install()
  await db.transaction(tx => jobs.enqueue(tx, type, { n: 1 }, { key: 'a' }))
  const joined = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  const joining = db.transaction(async tx => {
    await jobs.enqueue(tx, type, { n: 2 }, { key: 'a' })
    joined.resolve()
    await mayCommit.promise
    order.push('committing')
  })
  await joined.promise
  const worker = await startProcess(db, {
    jobs: [job(type, async () => void order.push('ran')), job(later, async () => void order.push('later'))]
  })
  await db.query(`select pg_notify('galley_jobs', $1)`, [type.id])
  await db.transaction(tx => worker.enqueue(tx, later, { n: 1 }))
  await until(() => order.length > 0)
  mayCommit.resolve()
  await joining
  await until(() => order.length === 3)
  assert.deepEqual(order, ['later', 'committing', 'ran'])
})

test('two processes share the jobs of a queue and never run one twice at a time', async () => {
  const type = newType()
  const started: number[] = []
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const plugin = (process: number) => ({
    jobs: [
      job(
        type,
        async ({ n }: Data) => {
          started.push(n)
          begun[process]?.resolve()
          // Neither does all before the other has begun.
          await Promise.all(begun.map(({ promise }) => promise))
          await new Promise(resolve => setImmediate(resolve))
        },
        { concurrency: 3 }
      )
    ]
  })
  const one = await startProcess(db, plugin(0))
  await startProcess(db, plugin(1))
  await queueAll(
    one,
    type,
    Array.from({ length: 300 }, (_, n) => n)
  )
  await until(() => started.length >= 300)
  await until(async () => (await db.query('select from jobs.job where name = $1', [type.id])).length === 0)
  assert.equal(started.length, 300)
  assert.equal(new Set(started).size, 300)
})

test('a kind runs as many jobs at once as it allows', async () => {
  const type = newType()
  let atOnce = 0
  let maxAtOnce = 0
  let ran = 0
  const full = Promise.withResolvers<void>()
  const handle = async () => {
    atOnce += 1
    maxAtOnce = Math.max(maxAtOnce, atOnce)
    if (atOnce === 4) full.resolve()
    await full.promise
    atOnce -= 1
    ran += 1
  }
  const jobs = await startProcess(db, { jobs: [job(type, handle, { concurrency: 4 })] })
  await queueAll(
    jobs,
    type,
    Array.from({ length: 60 }, (_, n) => n)
  )
  await until(() => ran === 60)
  assert.equal(maxAtOnce, 4)
})

test('jobs claimed behind one that turns out slow are given back', async () => {
  const type = newType()
  const slow = Promise.withResolvers<void>()
  let ran = 0
  const handle = async ({ n }: Data) => {
    ran += 1
    if (n === -1) await slow.promise
  }
  const plugin = { jobs: [job(type, handle)] }
  const one = await startProcess(db, plugin)
  await queueAll(
    one,
    type,
    Array.from({ length: 100 }, (_, n) => n)
  )
  await until(() => ran === 100)
  await queueAll(one, type, [-1, 1, 2, 3])
  await until(() => ran > 100)
  await startProcess(db, plugin)
  await until(() => ran === 104)
  slow.resolve()
})

test('an attempt is abandoned at its timeout, and its signal says so', async () => {
  const type = newType()
  const reasons: string[] = []
  const handle = async (_: Data, { signal, deliveryCount }: Delivery) => {
    if (deliveryCount > 1) return
    signal.addEventListener('abort', () => reasons.push(signal.reason.message))
    await new Promise(() => {})
  }
  const jobs = await startProcess(db, { jobs: [job(type, handle, { timeoutSeconds: 1 })] })
  await db.transaction(tx => jobs.enqueue(tx, type, { n: 1 }))
  await until(() => reasons.length === 1)
  assert.match(reasons[0] ?? '', /took longer than its timeout of 1 s/)
  await until(async () => {
    await skipBackoff(db)
    return (await db.query('select from jobs.job where name = $1', [type.id])).length === 0
  })
})

test('stopping waits for a running job and starts no other', async () => {
  const type = newType()
  const begun = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const finished: boolean[] = []
  const jobs = await startProcess(db, {
    jobs: [
      job(type, async (_, { signal }) => {
        begun.resolve()
        await finish.promise
        finished.push(signal.aborted)
      })
    ]
  })
  await queueAll(jobs, type, [1, 2])
  await begun.promise
  const stopped = jobs.stop(30)
  finish.resolve()
  await stopped
  assert.deepEqual(finished, [false])
  assert.partialDeepStrictEqual(await statsOf(jobs, type.id), { ready: 1, active: 0 })
})

test('at the limit of a stop a job is aborted and handed to another process, its attempt not counted', async () => {
  const type = newType()
  const deliveries: [string, number, boolean][] = []
  const begun = Promise.withResolvers<void>()
  const taken = Promise.withResolvers<void>()
  const waitForOther = async (_: Data, { deliveryCount, signal }: Delivery) => {
    begun.resolve()
    await taken.promise
    deliveries.push(['one', deliveryCount, signal.aborted])
  }
  const one = await startProcess(db, { jobs: [job(type, waitForOther, { retries: 0 })] })
  await db.transaction(tx => one.enqueue(tx, type, { n: 1 }))
  await begun.promise
  const failLater = async (_: Data, { deliveryCount, signal }: Delivery) => {
    taken.resolve()
    await until(() => deliveries.length === 1)
    // Time for the first process to finish what is no longer its own, if it did.
    await new Promise(resolve => setTimeout(resolve, 30))
    deliveries.push(['two', deliveryCount, signal.aborted])
    throw new Error('parked')
  }
  const two = await startProcess(db, { jobs: [job(type, failLater, { retries: 0 })] })
  await one.stop(0)
  await until(() => deliveries.length === 2)
  assert.deepEqual(deliveries, [
    ['one', 1, true],
    ['two', 1, false]
  ])
  await until(async () =>
    (await createDeadLetterJobs({ db, jobs: two }).list()).items.some(({ queue }) => queue === type.id)
  )
  assert.equal(
    one.lines.some(({ msg }) => msg === 'a job failed'),
    false
  )
  const left = one.lines.find(({ msg }) => msg.startsWith('jobs did not end in time'))
  assert.equal(left?.queue, type.id)
})

for (const option of ['isEndless', 'isResumable'] as const)
  test(`a stop does not wait for a job that ${option}: it is handed back at once, its attempt not counted`, async () => {
    const type = newType()
    const deliveries: Delivery[] = []
    const declared = job(
      type,
      async (_, delivery) => {
        deliveries.push(delivery)
        await new Promise(resolve => delivery.signal.addEventListener('abort', resolve))
      },
      { [option]: true }
    )
    const one = await startProcess(db, { jobs: [declared] })
    await db.transaction(tx => one.enqueue(tx, type, { n: 1 }))
    await until(() => deliveries.length === 1)
    // The grace is longer than the suite waits for anything.
    await one.stop(1_000)
    assert.ok(deliveries[0]?.signal.aborted)
    await startProcess(db, { jobs: [declared] })
    await until(() => deliveries.length === 2)
    assert.deepEqual(
      deliveries.map(({ id, deliveryCount }) => [id, deliveryCount]),
      [deliveries[0], deliveries[0]].map(first => [first?.id, 1])
    )
  })

test('a worker whose job was taken over is told to stop, and its outcome does not count', async () => {
  const type = newType()
  const outcomes: string[] = []
  const jobs = await startProcess(db, {
    jobs: [
      job(type, async (_, { deliveryCount, signal }) => {
        if (deliveryCount === 1) await new Promise(resolve => signal.addEventListener('abort', resolve))
        outcomes.push(`${deliveryCount} ${signal.aborted}`)
        if (deliveryCount === 1) throw new Error('too late')
      })
    ]
  })
  await db.transaction(tx => jobs.enqueue(tx, type, { n: 1 }))
  await until(
    async () => (await db.query(`select from jobs.job where name = $1 and state = 'active'`, [type.id])).length === 1
  )
  await db.query(`update jobs.job set heartbeat_on = now() - interval '11 s', state = 'retry' where name = $1`, [
    type.id
  ])
  await until(() => outcomes.length === 2)
  assert.deepEqual(outcomes, ['1 true', '2 false'])
  await until(async () => (await db.query('select from jobs.job where name = $1', [type.id])).length === 0)
})

test('a clock of the database that is set back holds up neither schedules nor jobs', async () => {
  const type = newType()
  const minutely = newType()
  const ran: string[] = []
  const kinds = [
    job(type, async ({ n }) => void ran.push(String(n))),
    job(minutely, async () => void ran.push('schedule'), { cron: '* * * * *' })
  ]
  const command = createProcess(db, { jobs: kinds })
  await command.install()
  await db.transaction(async tx => {
    await command.enqueue(tx, type, { n: 1 })
    await command.enqueue(tx, type, { n: 2 })
    await command.enqueue(tx, type, { n: 3 }, { startAt: new Date(Date.now() + 7_200_000) })
  })
  const jobOf = (n: number) => `name = '${type.id}' and data->>'n' = '${n}'`
  // What an hour back means for what was done before.
  const ahead = "+ interval '1 hour'"
  await db.query(
    `update jobs.job set created_on = created_on ${ahead}, start_after = start_after ${ahead} where ${jobOf(1)}`
  )
  await db.query(
    `update jobs.job set state = 'active', started_on = now() ${ahead}, heartbeat_on = now() ${ahead} where ${jobOf(2)}`
  )
  await db.query(`update jobs.version set cron_on = now() ${ahead}`)
  await startProcess(db, { jobs: kinds })
  await until(() => ran.includes('1'), 'what was due at once runs')
  await until(async () => {
    await db.query(
      `update jobs.job set heartbeat_on = heartbeat_on - interval '11 s' where ${jobOf(2)} and heartbeat_on <= now()`
    )
    return ran.includes('2')
  }, 'what a dead process had runs')
  const [version] = await db.query<{ isAhead: boolean }>(
    'select coalesce(cron_on > now(), false) as "isAhead" from jobs.version'
  )
  assert.equal(version?.isAhead, false)
  assert.equal(ran.includes('3'), false)
})

test('installing again takes over changed options and schedules', async () => {
  const type = newType()
  const rows = () =>
    db.query(
      `select retry_limit, expire_seconds, (select array_agg(cron) from jobs.schedule s where s.name = q.name) as crons
       from jobs.queue q where name = $1`,
      [type.id]
    )
  const install = (options: object) => createProcess(db, { jobs: [job(type, ignore, options)] }).install()
  await install({ cron: '0 3 * * *' })
  assert.deepEqual(await rows(), [{ retry_limit: 5, expire_seconds: 930, crons: ['0 3 * * *'] }])
  await install({ cron: '0 4 * * *', retries: 1, timeoutSeconds: 60 })
  assert.deepEqual(await rows(), [{ retry_limit: 1, expire_seconds: 90, crons: ['0 4 * * *'] }])
  await install({})
  assert.deepEqual(await rows(), [{ retry_limit: 5, expire_seconds: 930, crons: null }])
})
