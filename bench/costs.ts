// A budget raced by many processes: node bench/costs.ts --server postgres://… (or TEST_DATABASE_URL).
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { expire } from '../plugins/costs/reservations.ts'
import { openPayments } from '../test/plugins/costs/harness.ts'
import { makeGalley } from './galley.ts'
import { measured } from './target.ts'

const { values } = parseArgs({
  options: {
    server: { type: 'string', default: process.env.TEST_DATABASE_URL },
    processes: { type: 'string', default: '8' },
    requests: { type: 'string', default: '100' },
    budget: { type: 'string', default: '50' }
  }
})
const processes = Number(values.processes)
const requests = Number(values.requests)
const budget = Number(values.budget)
/** Longer than a lease. */
const leaseMs = 31_000

let arrived = 0
let isHanging = false
const model = createServer((_request, response) => {
  arrived += 1
  if (!isHanging) response.end('an answer')
})
model.listen(0, '127.0.0.1')
await once(model, 'listening')
const modelUrl = `http://127.0.0.1:${(model.address() as AddressInfo).port}`
const galley = await makeGalley(values.server)
try {
  const { databaseUrl } = galley
  if (databaseUrl === undefined) throw new Error('Name a server: the embedded database has one process.')
  const start = async (count: number, limit: number): Promise<ChildProcess> => {
    const args = [databaseUrl, modelUrl, String(count), String(limit)]
    const child = fork(new URL('costs-child.ts', import.meta.url), args)
    await once(child, 'message')
    return child
  }
  const children: ChildProcess[] = []
  for (let at = 0; at < processes; at++) children.push(await start(requests, budget))
  const answers = children.map(child => once(child, 'message'))
  for (const child of children) child.send('go')
  const ends = (await Promise.all(answers)).map(([end]) => end as { refused: number; ms: number })
  const slowest = Math.max(...ends.map(({ ms }) => ms))
  const refused = ends.reduce((sum, end) => sum + end.refused, 0)
  const rows = [
    measured(`requests made at a budget of ${budget}`, arrived, '', '≥', budget),
    measured('requests made beyond it', arrived - budget, '', '<', 1),
    measured('requests refused', refused, '', '≥', processes * requests - budget),
    measured('reserved or refused a second', (processes * requests * 1_000) / slowest, '', '≥', 100)
  ]
  isHanging = true
  const dying = await start(10, budget + 10)
  dying.send('go')
  while (arrived < budget + 10) await sleep(50)
  dying.kill('SIGKILL')
  await sleep(leaseMs)
  const sum = await galley.database(async db => {
    await expire(openPayments(db).deps, 100)
    const [row] = await db.query<{ spent: string; reserved: string }>(
      `select spent, reserved from cost_periods where period = '2026-11'`
    )
    return row
  })
  rows.push(
    measured('counted after a kill -9 of 10 requests', Number(sum?.spent), '', '≥', budget + 10),
    measured('still reserved', Number(sum?.reserved), '', '<', 1)
  )
  console.table(rows)
} finally {
  model.closeAllConnections()
  model.close()
  await galley.remove()
}
