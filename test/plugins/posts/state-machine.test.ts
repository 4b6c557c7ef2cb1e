import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { AppError } from '#core'
import { type PostAction, type PostStatus, postStatuses, statusAfter } from '../../../plugins/posts/states.ts'
import { type Harness, makePost, openPosts } from './harness.ts'

let harness: Harness
before(async () => {
  harness = await openPosts({ withMemory: false })
})
after(() => harness.close())

const by = { actor: 'operator' }
const signal = new AbortController().signal
const tx = <T>(work: Parameters<typeof harness.db.transaction<T>>[0]) => harness.db.transaction(work)

/** What may be done to a post, by anybody. */
const operations: Record<string, (post_id: string) => Promise<unknown>> = {
  at: id => harness.scheduling.changes.at(id, { in: '1h' }, by),
  'at --force': id => harness.scheduling.changes.at(id, { in: '2h' }, { ...by, skipsChecks: true, replacesSlot: true }),
  batch: () =>
    harness.scheduling.changes.batch(
      {
        count: 3,
        interval: '1h',
        start: 'now',
        quiet_hours: 'none',
        ordered_by: 'approved_at',
        replacesSlots: true,
        dry_run: false
      },
      by
    ),
  shift: id => harness.scheduling.changes.shift(id, '30m', by),
  'shift --all': () => harness.scheduling.changes.shift(null, '-10m', by),
  clear: id => harness.scheduling.changes.clear(id, by),
  'clear --all': () => harness.scheduling.changes.clear(null, by),
  'schedule approve': id => harness.scheduling.changes.approve(id, by),
  'schedule reject': id => harness.scheduling.changes.reject(id, by),
  publish: id => tx(t => harness.posts.publish(t, id, by)),
  reject: id => tx(t => harness.posts.reject(t, id, { ...by, reason: 'no' })),
  unpublish: id => harness.components.states.unpublish(id, by),
  archive: id => harness.components.states.archiveChecked(id, by, () => {}),
  restore: id => harness.components.states.restore(id, by),
  edit: id => harness.components.edits.edit(id, { title: 'Another title' }, by),
  'hand in': async id => {
    const [row] = await harness.db.query<{ task_id: string }>('select task_id from posts where post_id = $1', [id])
    const draft = {
      task_id: row?.task_id ?? '',
      title: 'A draft',
      excerpt: '',
      content: 'Text.',
      category: null,
      tags: []
    }
    await tx(t => harness.posts.saveDraft(t, { ...draft, niche_slug: null, seo_keywords: [] }))
  },
  'slot passes': id =>
    harness.db.query(
      "update posts set published_at = now() - interval '1 second' where post_id = $1 and status = 'scheduled'",
      [id]
    ),
  'publisher runs': () => harness.scheduling.publisher.publishDue(signal),
  'gate on': async () => {
    harness.values.pipeline_gate_final_publish_approval = 'on'
  },
  'gate off': async () => {
    harness.values.pipeline_gate_final_publish_approval = 'off'
  }
}

interface Row {
  status: PostStatus
  published_at: string | null
  awaiting_gate: string | null
  approved_at: string | null
}
interface HistoryRow {
  action: PostAction | 'edit'
  from_status: PostStatus | null
  to_status: PostStatus
}

async function check(post_id: string): Promise<void> {
  const [post] = await harness.db.query<Row>(
    'select status, published_at, awaiting_gate, approved_at from posts where post_id = $1',
    [post_id]
  )
  const history = await harness.db.query<HistoryRow>(
    'select action, from_status, to_status from post_history where post_id = $1 order by id',
    [post_id]
  )
  let status: PostStatus | null = null
  for (const { action, from_status, to_status } of history) {
    assert.equal(from_status, status, `the history has no gap before ${action}`)
    assert.equal(to_status, action === 'edit' ? from_status : statusAfter(status, action))
    status = to_status
  }
  assert.ok(post !== undefined && postStatuses.includes(post.status))
  assert.equal(post.status, status, 'the history ends where the post is')
  if (post.status === 'scheduled' || post.status === 'published') assert.notEqual(post.published_at, null)
  if (['draft', 'awaiting_approval', 'approved'].includes(post.status)) assert.equal(post.published_at, null)
  if (post.awaiting_gate !== null) assert.equal(post.status, 'scheduled', 'only a scheduled post waits at the gate')
  if (post.status === 'scheduled' || post.status === 'published') assert.notEqual(post.approved_at, null)
}

/** @returns whether it was refused, as a refusal that a client is notified of. */
async function wasRefused(name: string, post_id: string): Promise<boolean> {
  try {
    await operations[name]?.(post_id)
    return false
  } catch (error) {
    assert.ok(error instanceof AppError, `${name}: ${error}`)
    assert.ok(['CONFLICT', 'VALIDATION_ERROR'].includes(error.code), `${name}: ${error.code}`)
    return true
  }
}

/** What is refused changes nothing. */
async function run(name: string, post_id: string): Promise<void> {
  const read = () => harness.db.query('select * from post_history order by id')
  const before = await read()
  if (await wasRefused(name, post_id))
    assert.deepEqual(await read(), before, `${name} was refused and changed something`)
}

const name = fc.constantFrom(...Object.keys(operations))
const post = fc.nat({ max: 1 })

/** Two drafts, one of them handed in: drafts are uninteresting for long. */
async function twoPosts(): Promise<[string, string]> {
  await harness.db.script('truncate posts, gate_history cascade')
  harness.values.pipeline_gate_final_publish_approval = 'off'
  const posts: [string, string] = [await makePost(harness), await makePost(harness)]
  for (const post_id of posts)
    await harness.db.query('update posts set task_id = gen_random_uuid() where post_id = $1', [post_id])
  await run('hand in', posts[0])
  return posts
}

test('no sequence of operations reaches a state, or makes a move, that the table does not have', async () => {
  const steps = fc.array(fc.record({ name, post }), { minLength: 5, maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(steps, async sequence => {
      const posts = await twoPosts()
      for (const step of sequence) {
        await run(step.name, posts[step.post] as string)
        for (const post_id of posts) await check(post_id)
      }
    }),
    { numRuns: 25, seed: 20261121, endOnFailure: true }
  )
})

test('nor do two operators and the publisher at once', async () => {
  const both = fc.record({ names: fc.tuple(name, name), post })
  await fc.assert(
    fc.asyncProperty(fc.array(both, { minLength: 5, maxLength: 20 }), async sequence => {
      const posts = await twoPosts()
      for (const { names, post } of sequence) {
        const all = [...names, 'publisher runs']
        await Promise.all(all.map(each => wasRefused(each, posts[post] as string)))
        for (const post_id of posts) await check(post_id)
      }
    }),
    { numRuns: 15, seed: 20261122, endOnFailure: true }
  )
})
