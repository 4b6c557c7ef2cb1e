// Who gets how many mails when the sending processes are killed again and again: node bench/newsletter-killed.ts --server postgres://…
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { SMTPServer } from 'smtp-server'
import { createPostgres } from '../cli/database/postgres/postgres.ts'
import { createLog } from '../cli/log/json-log.ts'
import { job } from '../core/contract/plugin.ts'
import { createJobs } from '../core/jobs/jobs.ts'
import { SendNewsletters } from '../plugins/newsletter/sending/jobs.ts'
import { makeGalley, type Serving } from './galley.ts'
import { setUpNewsletter } from './newsletter-setup.ts'
import { measured } from './target.ts'

const { values } = parseArgs({
  options: {
    server: { type: 'string', default: process.env.TEST_DATABASE_URL },
    subscribers: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '50' },
    processes: { type: 'string', default: '2' }
  }
})
if (values.server === undefined) throw new Error('Give the address of a PostgreSQL server: --server postgres://…')
const [subscribers, kills, processes] = [values.subscribers, values.kills, values.processes].map(Number) as [
  number,
  number,
  number
]
const connections = 5
const maxWaitMs = 900_000

process.setMaxListeners(0)
/** Mails by address: those that the server had in full, whether its answer was read or not. */
const got = new Map<string, number>()
let taken = 0
const mailServer = startMailServer()
const galley = await makeGalley(values.server)
let servers: Serving[] = []
try {
  const send_id = await begin()
  const db = createPostgres({ url: galley.databaseUrl ?? '', max: 2 })
  const jobs = createJobs({ db, log: createLog('error') })
  jobs.register('newsletter', [job(SendNewsletters, async () => {})], [])
  const begun = performance.now()
  const status = async () => (await db.query<{ status: string }>('select status from newsletter_sends'))[0]?.status
  for (let killed = 0; ; killed++) {
    servers = await Promise.all(Array.from({ length: processes }, () => galley.serve()))
    // As 15 s after the death of the process that held the lease. The next minute's run comes now.
    await db.transaction(async tx => {
      await tx.query("update newsletter_state set expires_at = now() - interval '1 second'")
      await jobs.enqueue(tx, SendNewsletters, {}, { key: 'all' })
    })
    const until = Math.min(((killed + 1) * subscribers) / (kills + 1) + Math.random() * 50, subscribers)
    while (killed < kills ? taken < until : (await status()) !== 'finished') {
      if (performance.now() - begun > maxWaitMs) throw new Error(`Only ${taken} mails after ${killed} kills.`)
      await sleep(killed < kills ? 5 : 500)
    }
    if (killed === kills) break
    for (const { pid } of servers) process.kill(pid, 'SIGKILL')
  }
  const rows = await db.query<{ email: string; state: string; unanswered: number }>(
    'select email, state, unanswered from newsletter_recipients join newsletter_subscribers using (subscriber_id) where send_id = $1',
    [send_id]
  )
  await db.close()
  const more = [...got.values()].filter(count => count > 1)
  const unnamed = rows.filter(({ email, unanswered }) => (got.get(email) ?? 0) > 1 + unanswered)
  console.table([
    measured(
      `${subscribers} recipients, ${kills} times all ${processes} processes killed: skipped`,
      subscribers - got.size,
      '',
      '<',
      1
    ),
    measured('rows that are not sent', rows.filter(({ state }) => state !== 'sent').length, '', '<', 1),
    measured('mails too many', taken - got.size, '', '<', connections * kills + 1),
    measured('the most for one recipient', Math.max(...got.values()), '', '<', 4),
    measured('recipients of several mails', more.length, '', '<', connections * kills + 1),
    measured('of them not named by status', unnamed.length, '', '<', 1),
    measured('in', (performance.now() - begun) / 1000, 's', '<', maxWaitMs / 1000)
  ])
} finally {
  for (const server of servers) process.kill(server.pid, 'SIGKILL')
  mailServer.close()
  await galley.remove()
}

function startMailServer(): SMTPServer {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onData(stream, session, done) {
      stream.resume()
      stream.on('end', () => {
        const to = session.envelope.rcptTo[0]?.address ?? ''
        got.set(to, (got.get(to) ?? 0) + 1)
        taken += 1
        // Some of those that are killed have the answer under way.
        setTimeout(done, Math.random() * 4)
      })
    }
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  return server
}

async function begin(): Promise<string> {
  const { port } = mailServer.server.address() as AddressInfo
  const content = '# Ebb and flow\n\nThe moon pulls the sea.\n'
  const smtpUrl = `smtp://127.0.0.1:${port}`
  const post_id = await setUpNewsletter(galley, { smtpUrl, subscribers, connections, content })
  const { send_id } = JSON.parse(await galley.command('newsletter', 'send', post_id, '--json')) as { send_id: string }
  return send_id
}
