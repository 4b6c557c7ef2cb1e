import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { until } from '../helpers/until.ts'

/** One that has ended stays a zombie where process 1 reaps no orphans. */
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

test('work without a pause ends when the process that asked for it was killed', async t => {
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-long-call-'))
  const file = path.join(folder, 'pid')
  const worker = () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0)
  const parent = fork(new URL('../fixtures/restless-parent.ts', import.meta.url), [file], { stdio: 'ignore' })
  t.after(() => {
    parent.kill('SIGKILL')
    if (worker() > 0 && isAlive(worker())) process.kill(worker(), 'SIGKILL')
    rmSync(folder, { recursive: true })
  })
  await until(() => worker() > 0)
  assert.equal(isAlive(worker()), true)
  parent.kill('SIGKILL')
  await until(() => !isAlive(worker()))
})
