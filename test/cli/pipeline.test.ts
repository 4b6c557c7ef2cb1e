import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createInstallation, type Running } from '../helpers/program.ts'
import { until } from '../helpers/until.ts'
import { useDatabase } from '../helpers/use-database.ts'

// The tests share one installation, in order: making one takes seconds.
const place = createInstallation()
after(() => place.close())

const json = async (...argv: string[]) => {
  const { status, stdout, stderr } = await place.runHere([...argv, '--json'])
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}

interface Served {
  server: Running
  get(path: string): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }>
}

async function serve(): Promise<Served> {
  const server = place.start(['serve'])
  const [, url] = await server.says(/galley is ready at (\S+)/)
  const { stdout } = await place.runHere(['auth', 'mint-token'])
  const headers = { authorization: `Bearer ${stdout.trim()}` }
  return {
    server,
    async get(target) {
      const response = await fetch(url + target, { headers })
      return { status: response.status, body: await response.json() }
    }
  }
}

const typesOf = async ({ get }: Served, task_id: string): Promise<string[]> =>
  (await get(`/api/pipeline/events/task/${task_id}?limit=100`)).body.items.map((event: { type: string }) => event.type)

test('a demo shows the stages, publishes, reads back and ends with 0', async () => {
  const { status, stdout, stderr } = await place.run(['demo', 'How tides follow the moon', '--once'])
  assert.equal(status, 0, stderr)
  assert.match(stderr, /created .*picked_up .*research_done.*draft_done .*qa_passed .*approved /s)
  assert.match(stderr, /QA score \d+(\.\d+)?: passed\nRAIL /)
  assert.match(stdout, /Published: How Tides Follow the Moon\n/)
  assert.match(stdout, /^ {2}page +http:\/\/127\.0\.0\.1:\d+\/posts\/how-tides-follow-the-moon\n {2}post /m)
  assert.match(stdout, /^ {2}post +http:\/\/127\.0\.0\.1:\d+\/api\/posts\/how-tides-follow-the-moon$/m)
  assert.doesNotMatch(stdout + stderr, /client_secret/)
})

test('a demo that is interrupted ends with 130', async () => {
  const demo = place.start(['demo', 'How honey bees choose a home', '--once'])
  await demo.says(/The service runs at/)
  demo.child.kill('SIGINT')
  const { status, stderr } = await demo.ended
  assert.equal(status, 130)
  assert.doesNotMatch(stderr, /error:/)
})

/** The one that runs. */
let current: Served

test('the same demo again, beside a server, finds the post that is there', async () => {
  current = await serve()
  const { status, stdout, stderr } = await place.runHere(['demo', 'How tides follow the moon', '--once', '--json'])
  assert.equal(status, 0, stderr)
  assert.match(stderr, /An earlier run has published this topic/)
  assert.equal(JSON.parse(stdout).task.post_slug, 'how-tides-follow-the-moon')
})

test('a demo without sources, beside a server, ends with 1, saying what is missing', async () => {
  const { status, stdout, stderr } = await place.runHere(['demo', 'The history of jazz in Paris', '--once'])
  assert.match(stderr, /error: The task \S+ ended rejected\. grounding: No stored source covers "The history of jazz/)
  assert.deepEqual({ status, stdout }, { status: 1, stdout: '' })
})

/**
 * What 11 seconds of silence come to: whatever runs is taken for lost. Each death counts as a first one: a step that two of
 * the kills happen to meet would not be tried again.
 */
const silence =
  "update jobs.job set heartbeat_on = heartbeat_on - interval '11 s', output = null where state = 'active'"

test('a task survives kill -9 between its steps: each step counts once, and one post comes of it', async () => {
  const { task_id } = await json('tasks', 'create', 'Why vaccines need boosters')
  for (const step of ['picked_up', 'research_done', 'draft_done']) {
    await until(async () => (await typesOf(current, task_id)).includes(step), step)
    current.server.child.kill('SIGKILL')
    await current.server.ended
    await useDatabase(place.home, undefined, db => db.script(silence))
    current = await serve()
  }
  await until(async () => (await typesOf(current, task_id)).includes('qa_passed'), 'qa_passed')
  const types = await typesOf(current, task_id)
  assert.deepEqual(types, ['created', 'picked_up', 'research_done', 'draft_done', 'qa_passed'])
  const { body } = await current.get('/api/posts?status=awaiting_approval')
  assert.equal(body.items.filter((post: { title: string }) => /vaccines/i.test(post.title)).length, 1)
})

test('SIGTERM with work under way ends with 0, and the work goes on with the next server', async () => {
  const { task_id } = await json('tasks', 'create', 'How DNS finds an address')
  await until(async () => (await typesOf(current, task_id)).includes('picked_up'), 'picked_up')
  current.server.child.kill('SIGTERM')
  assert.equal((await current.server.ended).status, 0)
  const next = await serve()
  await until(async () => (await next.get(`/api/tasks/${task_id}`)).body.status === 'awaiting_approval')
  next.server.child.kill('SIGTERM')
  assert.equal((await next.server.ended).status, 0)
})
