import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { AppError } from '#core'
import {
  type PostAction,
  type PostStatus,
  postStatuses,
  statusAfter,
  transitions
} from '../../../plugins/posts/states.ts'
import { asClient, type Harness, historyOf, makePost, openPosts, publish } from './harness.ts'

let harness: Harness
before(async () => {
  harness = await openPosts({ withMemory: false })
})
after(() => harness.close())

test("the database's check constraint lists the statuses", () => {
  const baseline = readFileSync(new URL('../../../migrations/20261120_000000_baseline.sql', import.meta.url), 'utf8')
  const listed = /constraint posts_status check \(status in \(([^)]*)\)\)/.exec(baseline)?.[1] ?? ''
  assert.deepEqual(
    listed.split(', ').map(name => name.slice(1, -1)),
    postStatuses
  )
})

/** Where the table says that an action leads; undefined when it does not allow it. */
function legalTarget(from: PostStatus | null, action: PostAction): PostStatus | undefined {
  const { from: allowed, to }: { from: readonly (PostStatus | null)[]; to: PostStatus } = transitions[action]
  return allowed.includes(from) ? to : undefined
}

test('what the table does not allow is refused', () => {
  for (const from of [null, ...postStatuses]) {
    for (const action of Object.keys(transitions) as PostAction[]) {
      const to = legalTarget(from, action)
      if (to === undefined) assert.throws(() => statusAfter(from, action), { code: 'CONFLICT' }, `${from} ${action}`)
      else assert.equal(statusAfter(from, action), to)
    }
  }
})

/** Puts a post into a status without passing through the use-cases. */
async function force(status: PostStatus): Promise<string> {
  const post_id = await makePost(harness)
  const slot = status === 'scheduled' ? "now() + interval '1 day'" : status === 'published' ? 'now()' : 'null'
  await harness.db.query(`update posts set status = $2, published_at = ${slot} where post_id = $1`, [post_id, status])
  return post_id
}

const byOperator = { actor: 'operator' }
const tomorrow = () => new Date(Date.now() + 86_400_000)
const operations: Partial<Record<PostAction, (post_id: string) => Promise<unknown>>> = {
  publish: post_id => publish(harness, post_id),
  schedule: post_id => harness.db.transaction(tx => harness.posts.schedule(tx, post_id, tomorrow(), byOperator)),
  reject: post_id =>
    harness.db.transaction(tx => harness.posts.reject(tx, post_id, { actor: 'operator', reason: 'no' })),
  unpublish: post_id => harness.components.states.unpublish(post_id, byOperator),
  archive: post_id => harness.components.states.archiveChecked(post_id, byOperator, () => {}),
  restore: post_id => harness.components.states.restore(post_id, byOperator)
}
/** Already so: answered as it is, without a history row. */
const noChange = new Set([
  'publish published',
  'reject draft',
  'reject archived',
  'archive archived',
  ...postStatuses.filter(status => status !== 'published').map(status => `unpublish ${status}`)
])

for (const [action, run] of Object.entries(operations)) {
  for (const from of postStatuses) {
    const target = legalTarget(from, action as PostAction)
    const name = `${action} ${from}`
    test(`${name}: ${target ? `becomes ${target}` : noChange.has(name) ? 'changes nothing' : 'is refused'}`, async () => {
      const post_id = await force(from)
      const result = await run(post_id).then(
        () => 'done',
        error => (error instanceof AppError ? error.code : error)
      )
      const [row] = await harness.db.query<{ status: string }>('select status from posts where post_id = $1', [post_id])
      const steps = (await historyOf(harness, post_id)).slice(1)
      if (target) {
        assert.deepEqual([result, row?.status, steps], ['done', target, [`${action} ${from} ${target}`]])
      } else {
        assert.deepEqual([result, row?.status, steps], [noChange.has(name) ? 'done' : 'CONFLICT', from, []])
      }
    })
  }
}

test('of many racing changes of one post the history is one legal path', async () => {
  const post_id = await makePost(harness)
  const changes = Array.from({ length: 12 }, (_, index) =>
    Object.values(operations)
      [index % 5]?.(post_id)
      .catch(() => {})
  )
  await Promise.all(changes)
  let status: string | null = null
  for (const step of await historyOf(harness, post_id)) {
    const [action, from, to] = step.split(' ') as [PostAction, string, PostStatus]
    assert.equal(from, status ?? '-')
    assert.equal(statusAfter(status as PostStatus | null, action), to)
    status = to
  }
  const [row] = await harness.db.query<{ status: string }>('select status from posts where post_id = $1', [post_id])
  assert.equal(row?.status, status)
})

test('a slot is in the future and is given once unless forced', async () => {
  const post_id = await force('awaiting_approval')
  const schedule = (at: Date, more = {}) =>
    harness.db.transaction(tx => harness.posts.schedule(tx, post_id, at, { actor: 'operator', ...more }))
  await assert.rejects(schedule(new Date(Date.now() - 1000)), { code: 'VALIDATION_ERROR' })
  const at = tomorrow()
  const ref = await schedule(at)
  assert.equal(ref.published_at, at.toISOString())
  assert.deepEqual(harness.jobs.at(-1), { type: 'schedule.publish_due', data: {}, startAt: at, key: at.toISOString() })
  assert.equal(harness.events.at(-1)?.type, 'posts.scheduled')
  await assert.rejects(schedule(tomorrow()), { code: 'CONFLICT' })
  await schedule(tomorrow(), { replacesSlot: true })
  assert.deepEqual((await historyOf(harness, post_id)).slice(1), [
    'schedule awaiting_approval scheduled',
    'reschedule scheduled scheduled'
  ])
})

test('publishing emits once, withdrawing a public post tells it, unpublishing twice reports no change', async () => {
  const post_id = await makePost(harness)
  harness.events.splice(0)
  await publish(harness, post_id)
  await publish(harness, post_id)
  const first = await asClient(harness, 'POST', `/api/posts/${post_id.slice(0, 8)}/unpublish`)
  const second = await asClient(harness, 'POST', `/api/posts/${post_id}/unpublish`)
  assert.deepEqual(first.json(), { post_id, unpublished: true, status: 'draft' })
  assert.deepEqual(second.json(), { post_id, unpublished: false, status: 'draft' })
  assert.deepEqual(
    harness.events.map(event => event.type),
    ['posts.published', 'posts.withdrawn']
  )
})

test('who takes part is called once for all posts of a decision, in its transaction, and can undo it', async () => {
  const notices: string[][] = []
  let isRefusing = false
  harness.posts.registerParticipant({
    transitioned: async (_, moves, { actor }) => {
      if (isRefusing) throw new TypeError('not so')
      notices.push(moves.map(({ action, from, status }) => `${actor}: ${action} ${from} ${status}`))
    },
    edited: async (_, post) => void notices.push([`edited ${post.title}: ${post.content}`])
  })
  await harness.db.query('delete from posts')
  const ids = [await makePost(harness), await makePost(harness)]
  for (const id of ids) await harness.components.states.submit(id, byOperator)
  notices.splice(0)
  const request = {
    count: 5,
    interval: '1h',
    start: 'tomorrow 9am',
    ordered_by: 'id',
    replacesSlots: false,
    dry_run: false
  }
  await harness.scheduling.changes.batch(request as Parameters<typeof harness.scheduling.changes.batch>[0], byOperator)
  const scheduled = 'operator: schedule awaiting_approval scheduled'
  assert.deepEqual(notices.splice(0), [[scheduled, scheduled]])
  isRefusing = true
  await assert.rejects(harness.scheduling.changes.clear(null, byOperator), TypeError)
  const statuses = await harness.db.query('select distinct status from posts')
  assert.deepEqual(statuses, [{ status: 'scheduled' }])
  isRefusing = false
  const [id = ''] = ids
  await harness.components.edits.edit(id, { title: 'New', content: 'Text.' }, byOperator)
  assert.deepEqual(notices, [['edited New: Text.'], ['operator: reopen scheduled awaiting_approval']])
})

test('what is refused names the states that allow it', () => {
  assert.throws(() => statusAfter('draft', 'schedule'), {
    message: 'A post that is draft does not allow schedule: it must be awaiting_approval or approved.'
  })
})
