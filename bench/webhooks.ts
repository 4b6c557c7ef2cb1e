// Webhooks acknowledged, and handled in order by many processes: node bench/webhooks.ts --server postgres://… (or TEST_DATABASE_URL).
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Db } from '../core/contract/database.ts'
import { makeGalley, type Serving } from './galley.ts'
import { type Peer, startPeer } from './peer.ts'
import { type Measured, measured, quantile } from './target.ts'
import { cpuSeconds, median } from './wrk.ts'

const { values } = parseArgs({
  options: {
    server: { type: 'string', default: process.env.TEST_DATABASE_URL },
    seconds: { type: 'string', default: '10' },
    senders: { type: 'string', default: '32' },
    deliveries: { type: 'string', default: '10000' },
    processes: { type: 'string', default: '8' }
  }
})
const seconds = Number(values.seconds)
const senders = Number(values.senders)
const deliveries = Number(values.deliveries)
const processes = Number(values.processes)
const secret = 'a secret of this measurement'
/** Events of one payment: the last one counts. */
const versions = 4
const maxWaitMs = 600_000
const rounds = 5
let sentSoFar = 0

const agent = new Agent({ keepAlive: true, maxSockets: senders })
const galley = await makeGalley(values.server)
const servers: Serving[] = []
try {
  await galley.command('settings', 'set', 'payments_webhook_secret', secret)
  const server = await galley.serve('--no-worker')
  servers.push(server)
  const plain =
    galley.databaseUrl === undefined ? undefined : await startPeer('webhooks-plain-pg.ts', [galley.databaseUrl, secret])
  const rows = await measureAcknowledged(server, plain)
  plain?.child.kill()
  if (values.server !== undefined && processes > 0) {
    await galley.database(db => db.script('truncate webhook_deliveries, webhook_objects, revenue_events'))
    // All at once would wait for the same two cores, and for connections.
    while (servers.length <= processes) servers.push(await galley.serve())
    rows.push(...(await galley.database(db => measureShuffled(db, servers.slice(1)))))
  }
  console.table(rows)
} finally {
  agent.destroy()
  await Promise.all(servers.map(server => server.stop()))
  await galley.remove()
}

interface Target {
  url: string
  pid: number
}

/** New deliveries one after the other by each sender, in turn to a plain server and to the inbox: other load changes both. */
async function measureAcknowledged(server: Serving, plain: Peer | undefined): Promise<Measured[]> {
  const peer = plain === undefined ? undefined : { url: plain.url, pid: plain.child.pid ?? 0 }
  const phases = { server: [] as Phase[], peer: [] as Phase[] }
  await sendFor(server, 2_000)
  if (peer !== undefined) await sendFor(peer, 1_000)
  for (let round = 0; round < rounds; round++) {
    if (peer !== undefined) phases.peer.push(await sendFor(peer, (seconds * 1000) / rounds))
    phases.server.push(await sendFor(server, (seconds * 1000) / rounds))
  }
  const of = (all: readonly Phase[], key: 'rate' | 'cpuMs') => median(all.map(phase => phase[key]))
  const times = phases.server.flatMap(phase => phase.times)
  const where = peer === undefined ? 'embedded' : 'PostgreSQL'
  const rows = [
    measured(
      `new deliveries of 1 kB acknowledged a second, ${senders} senders, ${where}`,
      of(phases.server, 'rate'),
      '',
      '≥',
      2000
    ),
    measured('the same, p50', quantile(times, 0.5), 'ms', '<', 50),
    measured('the same, p99', quantile(times, 0.99), 'ms', '<', 50),
    measured('CPU time of the service for one', of(phases.server, 'cpuMs'), 'ms', '<', 0.5)
  ]
  if (peer === undefined) return rows
  return [
    ...rows,
    measured(
      'against plain Fastify and pg, a second',
      of(phases.server, 'rate') / of(phases.peer, 'rate'),
      'times',
      '≥',
      0.7
    ),
    measured('the same by CPU time', of(phases.peer, 'cpuMs') / of(phases.server, 'cpuMs'), 'times', '≥', 0.7)
  ]
}

interface Phase {
  times: number[]
  rate: number
  cpuMs: number
}

async function sendFor({ url, pid }: Target, ms: number): Promise<Phase> {
  const times: number[] = []
  const begun = performance.now()
  const cpu = cpuSeconds(pid)
  const sendOn = async () => {
    while (performance.now() < begun + ms) {
      const at = performance.now()
      await send(url, paymentOf(sentSoFar++, 0, 700))
      times.push(performance.now() - at)
    }
  }
  await Promise.all(Array.from({ length: senders }, sendOn))
  const rate = times.length / ((performance.now() - begun) / 1000)
  return { times, rate, cpuMs: (((cpuSeconds(pid) ?? Number.NaN) - (cpu ?? Number.NaN)) * 1000) / times.length }
}

/** Half of them twice, in any order, to all processes at once. */
async function measureShuffled(db: Db, targets: readonly Serving[]): Promise<Measured[]> {
  const once = Array.from({ length: deliveries }, (_, n) => ({ n: Math.floor(n / versions), version: n % versions }))
  const sent = shuffle([...once, ...shuffle(once).slice(0, deliveries / 2)])
  const begun = performance.now()
  let next = 0
  const sendAll = async (sender: number) => {
    for (let at = next++; at < sent.length; at = next++) {
      const { n, version } = sent[at] as (typeof sent)[number]
      await send(targets[(at + sender) % targets.length]?.url ?? '', paymentOf(n, version, 0))
    }
  }
  await Promise.all(Array.from({ length: senders }, (_, sender) => sendAll(sender)))
  const acknowledgedMs = performance.now() - begun
  while ((await count(db, "webhook_deliveries where state = 'waiting'")) > 0) {
    if (performance.now() - begun > maxWaitMs) throw new Error('Deliveries still wait.')
    await sleep(200)
  }
  const handledMs = performance.now() - begun
  const payments = deliveries / versions
  const wrong = [
    deliveries - (await count(db, 'webhook_deliveries')),
    deliveries - (await count(db, 'revenue_events')),
    payments - (await count(db, `revenue_events where is_counted and amount = ${versions - 1}.01`)),
    await count(db, `revenue_events where is_counted and amount <> ${versions - 1}.01`),
    await count(db, "webhook_deliveries where state = 'parked'")
  ]
  const of = `${deliveries} deliveries, half of them twice, shuffled over ${targets.length} processes`
  return [
    measured(
      `${of}: rows or payments that differ from those in order`,
      wrong.reduce((a, b) => a + Math.abs(b), 0),
      '',
      '<',
      1
    ),
    measured('acknowledged a second', sent.length / (acknowledgedMs / 1000), '', '≥', 500),
    measured('handled a second', deliveries / (handledMs / 1000), '', '≥', 200)
  ]
}

function paymentOf(n: number, version: number, padding: number): string {
  return JSON.stringify({
    event_id: `e${n}-${version}`,
    type: 'payment.succeeded',
    payment_id: `p${n}`,
    amount: `${version}.01`,
    currency: 'EUR',
    plan: 'Pro',
    occurred_at: new Date(Date.UTC(2026, 10, 1) + version * 1000).toISOString(),
    note: 'x'.repeat(padding)
  })
}

async function send(url: string, body: string): Promise<void> {
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'x-signature': signature,
    'content-length': Buffer.byteLength(body)
  }
  const asked = request(`${url}/api/webhooks/payments-provider`, { method: 'POST', agent, headers }).end(body)
  const [response] = await once(asked, 'response')
  response.resume()
  await once(response, 'end')
  if (response.statusCode !== 202) throw new Error(`A delivery was answered with ${response.statusCode}.`)
}

async function count(db: Db, what: string): Promise<number> {
  const [row] = await db.query<{ n: number }>(`select count(*) as n from ${what}`)
  return row?.n ?? 0
}

function shuffle<Item>(items: readonly Item[]): Item[] {
  return items
    .map(item => ({ item, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item)
}
