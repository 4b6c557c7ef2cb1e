import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { job, jobType } from '../../core/plugin.ts'
import { openOnServer, testServerUrl } from '../helpers/database.ts'
import { until } from '../helpers/until.ts'
import { createProcess, startProcess, stopProcesses } from './jobs-setup.ts'

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
    await startProcess(db, { jobs: [job(Hang, async ({ n }, { attempt }) => void ran.push([n, attempt]))] })
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
