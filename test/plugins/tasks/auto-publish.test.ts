import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { openTasks, type TaskHarness } from './harness.ts'

let harness: TaskHarness
before(async () => {
  harness = await openTasks()
})
after(() => harness?.close())
afterEach(() => {
  for (const key of ['require_human_approval', 'auto_publish_threshold']) delete harness.values[key]
})

/** The ids of the tasks' events that one draft leads to, in order. */
async function emittedFor(topic: string): Promise<string[]> {
  const emitted: string[] = []
  await harness.operations.create({ topic }, { actor: 'operator', source: 'test' })
  while (harness.jobs.length > 0) {
    for (const job of harness.jobs.splice(0)) await harness.runJob(job)
    emitted.push(...harness.events.splice(0).map(({ type }) => type))
  }
  return emitted.filter(type => type.startsWith('tasks.'))
}

test('a draft that waits for a human says so to subscribers', async () => {
  assert.deepEqual(await emittedFor('A draft that waits'), ['tasks.created', 'tasks.awaiting_approval'])
})

test('a draft that publishes without a human never says that it waits for one', async () => {
  Object.assign(harness.values, { require_human_approval: false, auto_publish_threshold: 80 })
  assert.deepEqual(await emittedFor('A draft that publishes itself'), ['tasks.created', 'tasks.approved'])
})
