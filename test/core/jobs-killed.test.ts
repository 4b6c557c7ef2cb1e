import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { createDeadLetterJobs } from '../../cli/jobs/dead-letters.ts'
import type { Delivery } from '../../core/contract/jobs.ts'
import { job, jobType } from '../../core/contract/plugin.ts'
import { openOnServer, testServerUrl } from '../helpers/database.ts'
import { until } from '../helpers/until.ts'
import { createProcess, startProcess, stopProcesses } from './jobs-setup.ts'

/** A worker process that dies of the job that waits, as one that is out of memory does. */
async function diesOf(url: string): Promise<void> {
  const child = spawn(process.execPath, [new URL('jobs-child.ts', import.meta.url).pathname, url, 'die'], {
    stdio: ['ignore', 'ignore', 'inherit']
  })
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL'])
}

const Hang = jobType<{ n: number }>('killed.hang')

test('a job of a process killed with -9 is run by another process', { skip: !testServerUrl }, async () => {
  const { db, url } = await openOnServer(testServerUrl ?? '', { migrated: false })
  try {
    const jobs = createProcess(db, { jobs: [job(Hang, async () => {})] })
    await jobs.install()
    const child = spawn(process.execPath, [new URL('jobs-child.ts', import.meta.url).pathname, url], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    await db.transaction(tx => jobs.enqueue(tx, Hang, { n: 1 }))
    await once(child.stdout, 'data')
    const ran: [number, number][] = []
    await startProcess(db, { jobs: [job(Hang, async ({ n }, { deliveryCount }) => void ran.push([n, deliveryCount]))] })
    child.kill('SIGKILL')
    await once(child, 'exit')
    assert.deepEqual(ran, [])
    // What 10 seconds of silence come to.
    await db.query(`update jobs.job set heartbeat_on = heartbeat_on - interval '11 s'`)
    await until(() => ran.length > 0)
    assert.deepEqual(ran, [[1, 2]])
  } finally {
    await stopProcesses()
    await db.close()
  }
})

test('a job that two processes died of is parked with that reason, and others go on', {
  skip: !testServerUrl
}, async () => {
  const { db, url } = await openOnServer(testServerUrl ?? '', { migrated: false })
  try {
    const ran: [number, number][] = []
    const parked: string[] = []
    const run = async ({ n }: { n: number }, { deliveryCount }: Delivery) => void ran.push([n, deliveryCount])
    const onDeadLetter = async (_: { n: number }, error: Error) => void parked.push(error.message)
    const jobs = createProcess(db, { jobs: [job(Hang, run)] })
    await jobs.install()
    await db.transaction(tx => jobs.enqueue(tx, Hang, { n: 1 }))
    for (const _ of [1, 2]) {
      await diesOf(url)
      await db.query(`update jobs.job set heartbeat_on = heartbeat_on - interval '11 s'`)
    }
    const third = await startProcess(db, { jobs: [job(Hang, run, { onDeadLetter })] })
    await until(() => parked.length > 0)
    await db.transaction(tx => third.enqueue(tx, Hang, { n: 2 }))
    await until(() => ran.length > 0)
    assert.deepEqual(ran, [[2, 1]])
    assert.match(parked[0] ?? '', /^Its process died twice while it ran /)
    assert.equal((await createDeadLetterJobs({ db, jobs: third }).list({ queue: Hang.id })).items[0]?.attempts, 2)
  } finally {
    await stopProcesses()
    await db.close()
  }
})
