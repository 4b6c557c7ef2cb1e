// A newsletter to many, against bare nodemailer: node bench/newsletter.ts --server postgres://… (or TEST_DATABASE_URL).
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import nodemailer from 'nodemailer'
import { type Galley, makeGalley } from './galley.ts'
import { setUpNewsletter } from './newsletter-setup.ts'
import { startPeer } from './peer.ts'
import { measured } from './target.ts'
import { cpuSeconds, median } from './wrk.ts'

const { values } = parseArgs({
  options: {
    server: { type: 'string', default: process.env.TEST_DATABASE_URL },
    subscribers: { type: 'string', default: '3000' },
    connections: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' }
  }
})
const [subscribers, connections, rounds] = [values.subscribers, values.connections, values.rounds].map(Number) as [
  number,
  number,
  number
]
const where = values.server === undefined ? 'embedded' : 'PostgreSQL'
const text = 'The moon pulls the sea, and the sea comes. '.repeat(60)

const mail = await startPeer('mail-server.ts', [])
const galley = await makeGalley(values.server)
try {
  const content = `# Ebb and flow\n\n${text}\n`
  const post_id = await setUpNewsletter(galley, { smtpUrl: mail.url, subscribers, connections, content })
  const server = await galley.serve()
  const runs: { baseline: number; own: number; cpuMs: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const baseline = await sendBaseline(mail.url)
    const cpu = cpuSeconds(server.pid) ?? Number.NaN
    const own = await sendNewsletter(galley, post_id)
    runs.push({ baseline, own, cpuMs: (((cpuSeconds(server.pid) ?? Number.NaN) - cpu) * 1000) / subscribers })
  }
  await server.stop()
  const of = (key: 'baseline' | 'own' | 'cpuMs') => median(runs.map(run => run[key]))
  const ratio = median(runs.map(({ own, baseline }) => own / baseline))
  console.table([
    measured(`mails a second with a committed row each, ${connections} connections, ${where}`, of('own'), '', '≥', 300),
    measured('bare nodemailer over as many connections', of('baseline'), '', '≥', 0),
    measured('against it', ratio, 'times', '≥', 0.4),
    measured('CPU time of the service for one', of('cpuMs'), 'ms', '<', 3)
  ])
} finally {
  mail.child.kill()
  await galley.remove()
}

interface Status {
  send_id: string
  status: string
  started_at: string
  finished_at: string
  recipients: { sent: number }
}

/** Mails a second, from the first row to the last. */
async function sendNewsletter({ command }: Galley, post_id: string): Promise<number> {
  const { send_id } = JSON.parse(await command('newsletter', 'send', post_id, '--again', '--json')) as Status
  for (;;) {
    await sleep(2000)
    const now = JSON.parse(await command('newsletter', 'status', send_id, '--json')) as Status
    if (now.status !== 'finished') continue
    if (now.recipients.sent !== subscribers) throw new Error(`Only ${now.recipients.sent} mails were sent.`)
    return subscribers / ((Date.parse(now.finished_at) - Date.parse(now.started_at)) / 1000)
  }
}

/** The same mails by nodemailer's own pool, with no row of them. */
async function sendBaseline(url: string): Promise<number> {
  const { hostname: host, port } = new URL(url)
  const options = { pool: true, maxConnections: connections, maxMessages: Number.POSITIVE_INFINITY } as const
  const transport = nodemailer.createTransport({ ...options, host, port: Number(port), ignoreTLS: true })
  const begun = performance.now()
  let next = 0
  const sendOn = async () => {
    for (let n = next++; n < subscribers; n = next++)
      await transport.sendMail({
        from: 'The Tides <news@example.com>',
        to: `reader${n}@example.com`,
        subject: 'Ebb and flow',
        text,
        html: `<p>${text}</p>`
      })
  }
  await Promise.all(Array.from({ length: connections }, sendOn))
  transport.close()
  return subscribers / ((performance.now() - begun) / 1000)
}
