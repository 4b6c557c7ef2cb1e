import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Db, Tx } from '../../core/contract/database.ts'
import { packageRoot } from '../../core/paths.ts'
import { openOnServer, testServerUrl } from '../helpers/database.ts'
import { installHome } from '../helpers/installed-home.ts'
import { createInstallation, type Running } from '../helpers/program.ts'
import { until } from '../helpers/until.ts'
import { useDatabase } from '../helpers/use-database.ts'

// The tests share one installation, in order: making one takes seconds.
const place = createInstallation()
const server = testServerUrl === undefined ? undefined : await openOnServer(testServerUrl, { migrated: false })
const folder = path.dirname(place.home)
const logFile = path.join(folder, 'told')
const hold = path.join(folder, 'hold')
const env = { GALLEY_PLUGINS: path.join(folder, 'plugins.config.json') }

after(async () => {
  await place.close()
  await server?.db.close()
})

/** A plugin that writes down which publications it is notified of, by which process; while the file `hold` exists it never ends. */
function writePlugin(): void {
  const { plugins } = JSON.parse(readFileSync(path.join(packageRoot, 'plugins.config.json'), 'utf8'))
  writeFileSync(env.GALLEY_PLUGINS, JSON.stringify({ plugins: [...plugins, './follower'] }))
  mkdirSync(path.join(folder, 'follower'))
  writeFileSync(
    path.join(folder, 'follower', 'plugin.js'),
    `import { appendFileSync, existsSync } from 'node:fs'
    export default {
      name: 'follower', contract: 1, describe: 'Follows publications',
      setup: () => ({
        services: {},
        subscriptions: [{
          event: 'posts.published',
          async handle({ post_id }, { id }) {
            appendFileSync(${JSON.stringify(logFile)}, [process.pid, post_id, id].join(' ') + '\\n')
            if (existsSync(${JSON.stringify(hold)})) await new Promise(() => {})
          }
        }]
      })
    }`
  )
}

/** Who was notified of a post's publication: process and delivery. */
const deliveriesOf = (post_id: string) =>
  (existsSync(logFile) ? readFileSync(logFile, 'utf8') : '')
    .split('\n')
    .map(line => line.split(' '))
    .filter(([, post]) => post === post_id)
    .map(([pid, , delivery]) => ({ pid: Number(pid), delivery }))

const json = async (argv: string[]) => {
  const { status, stdout, stderr } = await place.runHere([...argv, '--json'], { env })
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}
async function serve(): Promise<Running> {
  const running = place.start(['serve'], { env })
  await running.says(/galley is ready/)
  return running
}
async function kill({ child, ended }: Running): Promise<void> {
  child.kill('SIGKILL')
  assert.equal((await ended).status, null)
}
async function stop({ child, ended }: Running): Promise<void> {
  child.kill('SIGTERM')
  assert.equal((await ended).status, 0)
}
const query = <Row>(sql: string, params: string[] = []) =>
  useDatabase(place.home, server?.url, db => db.query<Row & Record<string, unknown>>(sql, params))
const script = (sql: string) => useDatabase(place.home, server?.url, db => db.script(sql))

let posts = 0
async function scheduled(): Promise<string> {
  const body = path.join(folder, 'post.md')
  writeFileSync(body, `# Post ${++posts}\n\nText number ${posts}.`)
  const { post_id } = await json(['posts', 'create', '--from-file', body, '--status', 'awaiting_approval'])
  const { items } = await json(['schedule', 'at', post_id, '--in', '1s'])
  assert.equal(items[0].status, 'scheduled')
  return post_id
}

const stateOf = async (post_id: string, db: Pick<Db, 'query'> = { query }) => {
  const [post] = await db.query<{ status: string; releases: number }>(
    `select status, (select count(*) from post_history where post_id = $1 and action = 'release') as releases
     from posts where post_id = $1`,
    [post_id]
  )
  return post
}
/** What 11 seconds of silence come to: whatever runs is taken for lost. */
const silence = "update jobs.job set heartbeat_on = heartbeat_on - interval '11 s'"

before(async () => {
  writePlugin()
  if (server === undefined) return await installHome(place)
  const { status, stderr } = await place.run(['setup', '--db-url', server.url])
  assert.equal(status, 0, stderr)
})

const holdPublication = (statements: string) => `
  create function hold_publication() returns trigger language plpgsql as $$ begin ${statements} return new; end $$;
  create trigger hold_publication before update on posts
    for each row when (old.status = 'scheduled' and new.status = 'published') execute function hold_publication()`
const letPublish = 'drop function hold_publication() cascade'

test('a server killed while a due post goes out is followed by one that publishes it once and tells of it', {
  skip: server !== undefined
}, async () => {
  const reached = path.join(place.home, 'data', 'slot_reached')
  // The database's own folder is the only place it can leave a sign at.
  await script(
    holdPublication(`execute format('copy (select 1) to %L', current_setting('data_directory') || '/slot_reached');
      perform pg_sleep(600);`)
  )
  const first = await serve()
  const post_id = await scheduled()
  await until(() => existsSync(reached), 'the slot is reached')
  await kill(first)
  rmSync(reached)
  assert.deepEqual(await stateOf(post_id), { status: 'scheduled', releases: 0 })
  assert.deepEqual(deliveriesOf(post_id), [])

  await script(`${letPublish}; ${silence}`)
  writeFileSync(hold, '')
  const second = await serve()
  await until(() => deliveriesOf(post_id).length > 0, 'the post goes out')
  await kill(second)
  rmSync(hold)
  assert.deepEqual(await stateOf(post_id), { status: 'published', releases: 1 })

  await script(silence)
  const third = await serve()
  await until(() => deliveriesOf(post_id).length > 1, 'its publication is told again')
  await stop(third)
  const [interrupted, whole, ...more] = deliveriesOf(post_id)
  assert.deepEqual([interrupted?.pid, whole?.pid, more], [second.child.pid, third.child.pid, []])
  assert.equal(interrupted?.delivery, whole?.delivery, 'a subscriber can tell that it is the same')
  assert.deepEqual(await stateOf(post_id), { status: 'published', releases: 1 })
})

test('on a server another process takes over from one killed while a due post goes out, and publishes it once', {
  skip: server === undefined
}, async () => {
  const { db } = server as NonNullable<typeof server>
  await script(holdPublication('perform pg_advisory_xact_lock(4711);'))
  const isHeld = (tx: Tx) =>
    tx.query("select from pg_locks where locktype = 'advisory' and objid = 4711 and not granted")
  const first = await serve()
  const [post_id, second] = await db.transaction(async tx => {
    await tx.query('select pg_advisory_xact_lock(4711)')
    const id = await scheduled()
    await until(async () => (await isHeld(tx)).length > 0, 'the slot is reached')
    const worker = place.start(['worker'], { env })
    await worker.says(/galley worker is ready/)
    await kill(first)
    assert.deepEqual(await stateOf(id, tx), { status: 'scheduled', releases: 0 })
    return [id, worker]
  })
  await script(silence)
  await until(() => deliveriesOf(post_id).length > 0, 'the other publishes')
  assert.deepEqual(await stateOf(post_id), { status: 'published', releases: 1 })
  assert.deepEqual(
    deliveriesOf(post_id).map(({ pid }) => pid),
    [second.child.pid]
  )

  await script(letPublish)
  writeFileSync(hold, '')
  const third = await serve()
  const other = await scheduled()
  await until(() => deliveriesOf(other).length > 0, 'another goes out')
  const [interrupted] = deliveriesOf(other)
  const [killed, left] = interrupted?.pid === third.child.pid ? [third, second] : [second, third]
  await kill(killed)
  rmSync(hold)
  await script(silence)
  await until(() => deliveriesOf(other).length > 1, 'its publication is told again')
  assert.deepEqual(deliveriesOf(other)[1], { pid: left.child.pid, delivery: interrupted?.delivery })
  assert.deepEqual(await stateOf(other), { status: 'published', releases: 1 })
  await stop(left)
})
