import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { packageRoot } from '../../../core/paths.ts'
import { testServerUrl } from '../../helpers/database.ts'
import { createInstallation, type TestInstallation } from '../../helpers/installation.ts'
import { hangs, startTelegramServer, type TelegramServer } from '../../helpers/telegram-server.ts'
import { until } from '../../helpers/until.ts'

let place: TestInstallation
let telegram: TelegramServer
const children = new Set<ChildProcess>()
before(async () => {
  ;[place, telegram] = await Promise.all([createInstallation(), startTelegramServer()])
})
after(async () => {
  for (const child of children) await end(child, 'SIGKILL')
  await place.close()
  await telegram.close()
})

const serve = async (): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [path.join(packageRoot, 'cli', 'bin.js'), 'serve'], {
    env: { ...process.env, ...place.env, PORT: '0' },
    stdio: 'ignore'
  })
  children.add(child)
  return child
}
const end = async (child: ChildProcess, signal: NodeJS.Signals) => {
  children.delete(child)
  const exited = once(child, 'exit')
  if (child.exitCode === null && child.signalCode === null) {
    child.kill(signal)
    await exited
  }
}
const messageLike = (pattern: RegExp) =>
  until(() => telegram.messages.some(({ text }) => pattern.test(text)), String(pattern))

test('a process killed while it sends is followed by one that sends, and that takes commands', async () => {
  const kernel = await place.wire()
  await kernel.open()
  await kernel.jobs.install()
  for (const [key, value] of Object.entries({ ...telegram.settings(), pipeline_gate_topic_decision: 'on' }))
    await kernel.settings.set(key, value)
  const { out } = await place.run(['topics', 'propose', '--topic', 'What survives a kill', '--json'])
  const { task_id } = JSON.parse(out)
  await place.release()

  telegram.script('sendMessage', hangs)
  const first = await serve()
  await until(() => telegram.requests.some(({ method }) => method === 'sendMessage'))
  await end(first, 'SIGKILL')
  assert.equal(telegram.messages.length, 0)

  const second = await serve()
  await messageLike(new RegExp(`What survives a kill[^]*may have reached you before[^]*/approve_topic ${task_id}`))
  telegram.say(`/approve_topic ${task_id}`)
  await messageLike(/^Approved: “What survives a kill”/)
  // What becomes of its draft is told, too.
  const texts = telegram.messages.map(({ text }) => text).filter(text => !text.startsWith('A draft failed its checks'))
  assert.equal(texts.length, 2)
  await end(second, 'SIGTERM')
  assert.equal(second.exitCode, 0)
})

test('another process takes over the poll of one that is killed, at once and alone', {
  skip: testServerUrl === undefined
}, async () => {
  const { out } = await place.run(['topics', 'propose', '--topic', 'What another carries out', '--json'])
  const { task_id } = JSON.parse(out)
  const db = await place.db()
  const claims = async () =>
    (await db.query<{ claim: string }>('select claim from notify_pollers')).map(row => row.claim)
  const earlier = await claims()
  const first = await serve()
  await until(async () => telegram.polls.open === 1 && (await claims())[0] !== earlier[0], 'the first polls')
  const [polling] = await claims()
  const second = await serve()
  await messageLike(new RegExp(`/approve_topic ${task_id}`))
  telegram.polls.maxOpen = telegram.polls.open
  await end(first, 'SIGKILL')
  telegram.say(`/approve_topic ${task_id}`)
  // What 11 seconds of silence come to.
  await db.query("update jobs.job set heartbeat_on = heartbeat_on - interval '11 s' where name = 'notify.poll'")
  await messageLike(/^Approved: “What another carries out”/)
  assert.notEqual((await claims())[0], polling)
  assert.equal(telegram.polls.maxOpen, 1)
  const answers = telegram.messages.filter(({ text }) => text.includes('“What another carries out”'))
  assert.equal(answers.length, 1)
  await place.release()
  await end(second, 'SIGTERM')
})
