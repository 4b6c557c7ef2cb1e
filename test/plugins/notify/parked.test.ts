import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createDeadLetterJobs } from '../../../cli/jobs/dead-letters.ts'
import { CONTRACT, definePlugin, job, jobType, on, type Plugin } from '../../../core/contract/plugin.ts'
import { PostPublished } from '../../../plugins/posts/index.ts'
import { makePublicPost } from '../../helpers/public-post.ts'
import { startService, type TestService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'
import { startHookServer } from './hook-server.ts'

const Work = jobType<{ n: number }>('thrower.work')
const fail = () => Promise.reject(new Error('not today'))
let attempts = 0

/** What it does fails, and so does what it does about that. */
const thrower = definePlugin({
  name: 'thrower',
  contract: CONTRACT,
  describe: 'Throws whatever it is told',
  setup: ({ db, enqueue }) => ({
    services: {},
    subscriptions: [
      on(PostPublished, async () => {
        attempts += 1
        if (attempts === 1) await db.transaction(tx => enqueue(tx, Work, { n: 1 }))
        await fail()
      })
    ],
    jobs: [job(Work, fail, { retries: 1, onDeadLetter: fail })]
  })
}) as Plugin

let hooks: Awaited<ReturnType<typeof startHookServer>>
let service: TestService
before(async () => {
  hooks = await startHookServer()
  const settings = { chat_webhook_url: hooks.discord }
  service = await startService({ plugins: [thrower], settings })
})
after(async () => {
  await service.close()
  await hooks.close()
})

/** Makes what waits for its backoff due, but those that tell of parked jobs: they are not to be parked as well. */
const skipDelays = () =>
  service.db.query(
    `with due as (
       update jobs.job set start_after = now()
       where state = 'retry' and start_after > now() and name <> 'dead-letters' returning name
     )
     select pg_notify('galley_jobs', name) from due`
  )

test('a plugin’s subscriber and job that keep throwing are parked, the operator is told of each, and the rest runs on', async () => {
  const { slug } = await makePublicPost(service, { title: 'How tides follow the moon' })
  const isSent = (queue: string) => hooks.received.some(({ body }) => JSON.stringify(body).includes(queue))
  await until(async () => {
    await skipDelays()
    return isSent('posts.published/thrower') && isSent('thrower.work')
  }, 'both are told of')
  assert.equal(attempts, 9)
  const { items } = await createDeadLetterJobs(service.kernel).list()
  assert.deepEqual(items.map(item => [item.queue, item.attempts, item.error]).sort(), [
    ['posts.published/thrower', 9, 'not today'],
    ['thrower.work', 2, 'not today']
  ])
  assert.equal((await service.anonymous('GET', `/api/posts/${slug}`)).status, 200)
  assert.match((await service.run('posts', 'list')).out, /how-tides-follow-the-moon/)
})
