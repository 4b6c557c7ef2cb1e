import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { forkModule } from '../../child-process/fork.ts'
import { startWorkerSession, WorkerError } from '../../child-process/worker-process.ts'
import { until } from '../helpers/until.ts'

type Counted = { asked: number; pid: number }

function start(signal = new AbortController().signal) {
  const child = forkModule(new URL('../fixtures/counting-worker.ts', import.meta.url), { heapMb: 64 })
  return startWorkerSession<'count' | 'fail' | 'hang', Counted>(child, signal)
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('one process answers all requests of a session, also after one that failed', async () => {
  const session = start()
  const first = await session.ask('count')
  await assert.rejects(session.ask('fail'), new WorkerError('no such thing'))
  const second = await session.ask('count')
  assert.deepEqual([first.asked, second.asked, second.pid], [1, 2, first.pid])
  session.end()
  await until(() => !isAlive(first.pid))
  await assert.rejects(session.ask('count'), WorkerError)
})

test('a process that was killed is not replaced: what it had in memory is gone', async () => {
  const session = start()
  const { pid } = await session.ask('count')
  const waiting = session.ask('hang')
  process.kill(pid, 'SIGKILL')
  await assert.rejects(waiting, WorkerError)
  await assert.rejects(session.ask('count'), WorkerError)
  session.end()
})

test('an aborted signal ends the process, and its reason is that of what waits', async () => {
  const stop = new AbortController()
  const session = start(stop.signal)
  const { pid } = await session.ask('count')
  const waiting = session.ask('hang')
  stop.abort(new Error('enough'))
  await assert.rejects(waiting, /enough/)
  await assert.rejects(session.ask('count'), /enough/)
  await until(() => !isAlive(pid))
})

test('the process ends when its parent was killed', async () => {
  const parent = fork(new URL('../fixtures/session-parent.ts', import.meta.url), { stdio: 'ignore' })
  const [pid] = (await once(parent, 'message')) as [number]
  assert.equal(isAlive(pid), true)
  parent.kill('SIGKILL')
  await until(() => !isAlive(pid))
})
