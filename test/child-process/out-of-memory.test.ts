import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { isOutOfMemory } from '../../child-process/out-of-memory.ts'

const ends: [title: string, program: string, expected: boolean][] = [
  ['a full heap', 'const all = []; for (;;) all.push([all.length])', true],
  ['an error', "throw new Error('JavaScript heap out of memory')", false],
  ['a signal from outside', "process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 10_000)", false]
]
for (const [title, program, expected] of ends)
  test(`the end of a process tells a full heap from others: ${title}`, async () => {
    const child = spawn(process.execPath, ['--max-old-space-size=16', '-e', program], { stdio: 'ignore' })
    const [code, signal] = await once(child, 'exit')
    assert.equal(isOutOfMemory(code, signal), expected, `${code} ${signal}`)
  })
