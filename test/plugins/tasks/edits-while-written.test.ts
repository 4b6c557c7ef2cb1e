import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AppError } from '#core'
import type { PostPatch } from '../../../plugins/posts/edits.ts'
import { openTasks, type TaskHarness } from './harness.ts'

let harness: TaskHarness
before(async () => {
  harness = await openTasks()
})
after(() => harness?.close())

const by = { actor: 'operator' }
const rounds = 12

async function drafted(): Promise<{ task_id: string; post_id: string }> {
  const asked = { topic: 'How tides follow the moon', category: 'seas', tags: ['Tide'], primary_keyword: 'tide' }
  const { task_id } = await harness.operations.create({ ...asked, niche_slug: 'sea' }, { ...by, source: 'test' })
  await harness.drain()
  return { task_id, post_id: String((await harness.operations.get(task_id)).post_id) }
}

/** Whether the edit was accepted. A refusal is the one that an edit of a draft that is written again gets. */
async function isEdited(post_id: string, content: string): Promise<boolean> {
  try {
    await harness.components.edits.edit(post_id, { content }, by)
    return true
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'TASK_IN_PROGRESS', String(error))
    return false
  }
}

const postOf = async (post_id: string) =>
  (await harness.db.query('select * from posts where post_id = $1', [post_id]))[0]

const written: PostPatch[] = [{ title: 'By hand' }, { excerpt: 'By hand.' }, { content: 'By hand.' }]
/** What the writer leaves as it is. */
const left: PostPatch[] = [
  { category: 'moons' },
  { category: null },
  { tags: ['Moon'] },
  { tags: [] },
  { seo_keywords: ['moon'] },
  { slug: 'by-hand' },
  { seo_title: 'By hand' },
  { seo_description: 'By hand.' },
  { featured_image_url: 'https://example.com/moon.png' },
  { language: 'de' },
  { author: 'Ada' },
  { niche_slug: 'moons' }
]
const sendBack = (task_id: string) => harness.operations.reject(task_id, 'Say more.', { allow_revisions: true }, by)

for (const patch of left) {
  test(`a draft that is written again leaves ${JSON.stringify(patch)} of before`, async () => {
    const { task_id, post_id } = await drafted()
    const first = await postOf(post_id)
    await harness.components.edits.edit(post_id, patch, by)
    await sendBack(task_id)
    await harness.drain()
    const post = await postOf(post_id)
    assert.deepEqual({ ...post, ...patch, status: 'awaiting_approval' }, post)
    assert.notEqual(post?.content, first?.content)
    await harness.db.query('delete from posts where post_id = $1', [post_id])
  })
}

test('what is edited while a draft is written again, and is not replaced by it, stays', async () => {
  const { task_id, post_id } = await drafted()
  await sendBack(task_id)
  const patch = Object.assign({}, ...left)
  await harness.components.edits.edit(post_id, patch, by)
  await harness.drain()
  const post = await postOf(post_id)
  assert.deepEqual({ ...post, ...patch, status: 'awaiting_approval' }, post)
  await harness.db.query('delete from posts where post_id = $1', [post_id])
})

for (const patch of written) {
  test(`a draft that is written again replaces the ${Object.keys(patch)} of before`, async () => {
    const { task_id, post_id } = await drafted()
    await harness.components.edits.edit(post_id, patch, by)
    await sendBack(task_id)
    await harness.drain()
    const { title, excerpt, content } = await harness.operations.get(task_id)
    assert.partialDeepStrictEqual(await postOf(post_id), { title, excerpt, content })
    assert.doesNotMatch(JSON.stringify([title, excerpt, content]), /By hand/)
  })
}

/** A task whose post has its first draft, and which has a newer one that was not checked. */
async function withUncheckedDraft(status: string): Promise<{ task_id: string; post_id: string }> {
  const ids = await drafted()
  await sendBack(ids.task_id)
  harness.pipeline.isRailDown = true
  await harness.drain()
  harness.pipeline.isRailDown = false
  assert.equal((await harness.operations.get(ids.task_id)).status, 'rejected')
  await harness.db.query('update tasks set status = $2 where task_id = $1', [ids.task_id, status])
  harness.assignments.splice(0)
  return ids
}
const retried = async (task_id: string) => {
  await harness.operations.retry(task_id, by)
  await harness.drain()
  return harness.operations.get(task_id)
}

for (const status of ['rejected', 'failed']) {
  test(`an edit of the category alone leaves the unchecked draft of a task that is ${status}, which a retry checks`, async () => {
    const { task_id, post_id } = await withUncheckedDraft(status)
    const { title, content, metadata } = await harness.operations.get(task_id)
    await harness.components.edits.edit(post_id, { category: 'moons' }, by)
    assert.equal((await harness.operations.get(task_id)).content, content)
    const task = await retried(task_id)
    assert.deepEqual([harness.assignments.length, task.metadata], [0, metadata])
    assert.partialDeepStrictEqual(await postOf(post_id), { title, content, category: 'moons' })
  })

  test(`an edited text replaces the unchecked draft of a task that is ${status}, and a retry writes again from it`, async () => {
    const { task_id, post_id } = await withUncheckedDraft(status)
    const title = String((await postOf(post_id))?.title)
    await harness.components.edits.edit(post_id, { content: 'By hand.' }, by)
    const { metadata, ...edited } = await harness.operations.get(task_id)
    assert.deepEqual([edited.title, edited.content], [title, 'By hand.'])
    assert.deepEqual(metadata, {}, 'the writer of the draft that is gone did not write this')
    const task = await retried(task_id)
    const [assignment] = harness.assignments
    assert.deepEqual(assignment?.previous, { title, content: 'By hand.', isEdited: true })
    assert.equal(task.status, 'awaiting_approval')
    assert.equal((task.metadata as { writer: string }).writer, 'test')
  })
}

/** @returns what the writer gets as the previous draft when the post was published, taken back and rejected */
async function previousAfterPublication({ task_id, post_id }: { task_id: string; post_id: string }) {
  await harness.db.transaction(tx => harness.posts.publish(tx, post_id, { ...by, skipsChecks: true }))
  await harness.components.states.unpublish(post_id, by)
  await harness.operations.rejectWithoutRetry(task_id, by)
  harness.assignments.splice(0)
  await retried(task_id)
  return harness.assignments[0]?.previous
}

test('a published post whose task had an unchecked draft is written again from its own text', async () => {
  const ids = await withUncheckedDraft('rejected')
  const { title, content } = (await postOf(ids.post_id)) ?? {}
  assert.deepEqual(await previousAfterPublication(ids), { title, content, isEdited: false })
})

test('a writer learns of the edit of a published post whose task had an unchecked draft since', async () => {
  const ids = await withUncheckedDraft('rejected')
  const title = (await postOf(ids.post_id))?.title
  await harness.components.edits.edit(ids.post_id, { content: 'By hand.' }, by)
  harness.pipeline.isRailDown = true
  const { status, content } = await retried(ids.task_id)
  harness.pipeline.isRailDown = false
  assert.equal(status, 'rejected')
  assert.notEqual(content, 'By hand.', 'the task has the newer draft')
  assert.deepEqual(await previousAfterPublication(ids), { title, content: 'By hand.', isEdited: true })
  // A draft that replaces the text of the post ends that.
  assert.deepEqual((await previousAfterPublication(ids))?.isEdited, false)
})

/** Two at once, begun in either order. */
const both = async <A, B>(round: number, one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> => {
  if (round % 2 === 0) return Promise.all([one(), other()])
  const [b, a] = await Promise.all([other(), one()])
  return [a, b]
}

const decisions: Record<string, [before: (id: string) => Promise<unknown>, decide: (id: string) => Promise<unknown>]> =
  {
    'a rejection with feedback': [
      async () => {},
      id => harness.operations.reject(id, 'Say more.', { allow_revisions: true }, by)
    ],
    'a retry': [id => harness.operations.rejectWithoutRetry(id, by), id => harness.operations.retry(id, by)]
  }
for (const [what, [prepare, decide]] of Object.entries(decisions)) {
  test(`of an edit and ${what} at once, an edit that is accepted is what the writer gets`, async () => {
    for (let round = 0; round < rounds; round++) {
      const { task_id, post_id } = await drafted()
      await prepare(task_id)
      const content = `By hand, round ${round}.`
      const [accepted] = await both(
        round,
        () => isEdited(post_id, content),
        () => decide(task_id)
      )
      const text = (await harness.operations.get(task_id)).content
      assert.equal(text === content, accepted, `round ${round}: ${text}`)
      await harness.drain()
    }
  })
}

test('of an edit and the end of a re-run at once, an edit that is accepted stays', async () => {
  for (let round = 0; round < rounds; round++) {
    const { task_id, post_id } = await drafted()
    await harness.operations.reject(task_id, 'Say more.', { allow_revisions: true }, by)
    while (harness.jobs.length > 0 && !harness.jobs.some(({ type }) => type === 'tasks.qa'))
      for (const job of harness.jobs.splice(0)) await harness.runJob(job)
    const [job] = harness.jobs.splice(0)
    assert.ok(job !== undefined)
    const content = `By hand, round ${round}.`
    const [accepted] = await both(
      round,
      () => isEdited(post_id, content),
      () => harness.runJob(job)
    )
    const { content: text, status } = await harness.operations.get(task_id)
    const post = await harness.posts.read(harness.db, post_id)
    assert.deepEqual([status, text === content, post?.content], ['awaiting_approval', accepted, text], `round ${round}`)
    await harness.drain()
  }
})
