import assert from 'node:assert/strict'
import { once } from 'node:events'
import os from 'node:os'
import { test } from 'node:test'
import { forkModule } from '../../child-process/fork.ts'
import { callInProcess } from '../../child-process/long-call.ts'

const module = new URL('../fixtures/priorities.ts', import.meta.url)

test('a child has its priority from its start on', async () => {
  const child = forkModule(module, { heapMb: 64, niceness: 11 })
  assert.equal(os.getPriority(child.pid), 11)
  child.kill('SIGKILL')
  await once(child, 'exit')
})

test('every thread of a child has its priority', { skip: process.platform !== 'linux' }, async () => {
  const priorities = await callInProcess<number[]>(
    { module: module.href, name: 'prioritiesOfThreads', input: null },
    { signal: new AbortController().signal, timeoutMs: 60_000, heapMb: 64, niceness: 12 }
  )
  assert.ok(priorities.length > 4)
  assert.deepEqual([...new Set(priorities)], [12])
})
