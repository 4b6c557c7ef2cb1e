import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { installHome } from '../helpers/installed-home.ts'
import { createInstallation, type Running } from '../helpers/program.ts'
import { until } from '../helpers/until.ts'

// Beside an embedded server, whose process has the database: the command runs there, and its reader is here.
const installation = createInstallation()
const galley = (...argv: string[]) => installation.runHere(argv)
const json = async (...argv: string[]) => {
  const { status, stdout, stderr } = await galley(...argv, '--json')
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}
let server: Running
before(async () => {
  await installHome(installation)
  server = installation.start(['serve', '--no-worker'])
  await server.says(/galley is ready/)
})
after(async () => {
  server.child.kill('SIGTERM')
  await server.ended
  await installation.close()
})

test('the audit log is shown newest first, filtered by type and time, and in the shape of REST', async () => {
  await galley('settings', 'set', 'site_title', 'One\u202e')
  await galley('settings', 'disable', 'site_title')
  const { items, total, limit } = await json('events', '--audit', '--since', '1h')
  // The worker's heartbeat may come between.
  const ours = items.filter(({ event_type }: Record<string, string>) => event_type?.startsWith('settings.'))
  assert.deepEqual(
    ours.slice(0, 2).map(({ event_type, actor }: Record<string, string>) => [event_type, actor]),
    [
      ['settings.disabled', 'operator'],
      ['settings.changed', 'operator']
    ]
  )
  assert.deepEqual(Object.keys(items[0]), ['id', 'at', 'event_type', 'actor', 'details'])
  assert.ok(total >= items.length && limit === 20)
  const changed = await json('events', '--audit', '--type', 'settings.changed', '--limit', '1')
  assert.deepEqual([changed.items.length, changed.items[0].details.key], [1, 'site_title'])
  assert.equal((await json('events', '--audit', '--since', '2999-01-01T00:00:00Z')).total, 0)
  const { stdout } = await galley('events', '--audit')
  assert.match(stdout, /settings\.disabled +operator +key=site_title/)
  assert.equal(stdout.includes('\u202e'), false)
})

test('events of the pipeline are shown; a time that is none is refused', async () => {
  assert.match((await galley('events')).stdout, /Nothing happened/)
  await galley('tasks', 'create', 'Tides and the moon')
  const [event] = (await json('events')).items
  assert.deepEqual([event.type, event.to], ['created', 'pending'])
  const refused = await galley('events', '--since', 'yesterday')
  assert.equal(refused.status, 2)
  assert.match(refused.stderr, /--since must be a duration/)
})

test('--follow shows what comes, a JSON line each, until Ctrl-C', async () => {
  const following = installation.start(['events', '--audit', '--follow', '--json', '--type', 'settings.enabled'])
  const lines = () => following.printed.stdout.split('\n').filter(Boolean)
  await galley('settings', 'enable', 'site_title')
  await until(() => lines().length >= 1)
  await galley('settings', 'disable', 'site_title')
  await galley('settings', 'enable', 'site_title')
  await until(() => lines().length >= 2)
  following.child.kill('SIGINT')
  const { status, stderr } = await following.ended
  assert.deepEqual([status, stderr], [130, ''])
  const ids = lines().map(line => JSON.parse(line).id)
  assert.deepEqual(
    ids,
    [...new Set(ids)].sort((one, other) => one - other)
  )
  assert.ok(lines().every(line => JSON.parse(line).event_type === 'settings.enabled'))
})

test('--follow ends when its reader has gone', async () => {
  const following = installation.start(['events', '--audit', '--follow'], { through: 'head -n 1' })
  let ended = false
  void following.ended.then(() => {
    ended = true
  })
  let on = false
  await until(async () => {
    on = !on
    await galley('settings', on ? 'enable' : 'disable', 'site_description')
    await galley('settings', 'set', 'site_description', `${on} ${Date.now()}`)
    return ended
  })
  assert.equal((await following.ended).stderr, '')
})
