import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startService, type TestService } from '../../helpers/service.ts'
import { draftedTask } from '../../helpers/tasks.ts'

let service: TestService
before(async () => {
  service = await startService()
})
after(() => service.close())

const get = (path: string) => service.bearer('GET', path)
const cursorOf = (values: unknown) => Buffer.from(JSON.stringify(values)).toString('base64url')

const id = randomUUID()
const strangeCursors: [path: string, values: unknown][] = [
  ['/api/tasks', ['x', 'y']],
  ['/api/tasks', ['2026-01-01T00:00:00.000Z', 'y']],
  ['/api/tasks', ['2026-13-01T00:00:00.000Z', id]],
  ['/api/tasks', ['infinity', id]],
  ['/api/tasks', ['1']],
  ['/api/pipeline/events', ['x']],
  ['/api/pipeline/events', ['1.5']],
  ['/api/pipeline/events', ['-1']],
  ['/api/pipeline/events', ['1e400']],
  ['/api/pipeline/events', ['9223372036854775808']]
]
for (const [path, values] of strangeCursors) {
  test(`${path} refuses a cursor of ${JSON.stringify(values)}`, async () => {
    const { status, body } = await get(`${path}?cursor=${cursorOf(values)}`)
    assert.equal(status, 400, JSON.stringify(body))
    assert.deepEqual(Object.keys(body.errors), ['cursor'])
  })
}

test('cursors lead through tasks and events without a repetition or a gap', async () => {
  const tasks = [{ topic: 'Salt trade in the north' }, { topic: 'Salt trade in the south' }]
  for (const task of tasks) await draftedTask(service, task)
  for (const [path, key] of [
    ['/api/tasks', 'task_id'],
    ['/api/pipeline/events', 'id']
  ] as const) {
    const all = (await get(`${path}?limit=100`)).body
    const seen: unknown[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { items: Record<string, unknown>[]; next_cursor: string | null } = (
        await get(`${path}?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`)
      ).body
      seen.push(...page.items.map(item => item[key]))
      cursor = page.next_cursor
    }
    assert.deepEqual(
      seen,
      all.items.map((item: Record<string, unknown>) => item[key])
    )
    assert.equal(all.total, seen.length)
  }
})

test('the history of a task that does not exist is not found', async () => {
  const { status, body } = await get(`/api/pipeline/events/task/${id}`)
  assert.equal(status, 404)
  assert.equal(body.error_code, 'NOT_FOUND')
})

for (const [field, body] of [
  ['metadata', { metadata: { a: 'x'.repeat(16_384) } }],
  ['tone', { tone: 'pl\u0007ain' }],
  ['constructor', { constructor: 'x' }]
] as const) {
  test(`a task with a fault in ${field} is refused by that name`, async () => {
    const { status, body: answer } = await service.bearer('POST', '/api/tasks', { topic: 'Salt trade', ...body })
    assert.deepEqual([status, Object.keys(answer.errors)], [400, [field]])
  })
}

for (const body of [{ tags: ['  '] }, { category: ' ' }, { niche_slug: '\t' }, { style: ' ' }, { tone: ' ' }]) {
  test(`a task with ${JSON.stringify(body)} is refused`, async () => {
    const answer = await service.bearer('POST', '/api/tasks', { topic: 'Salt trade', ...body })
    assert.equal(answer.status, 400, JSON.stringify(answer.body))
  })
}

test('a cursor belongs to its list and its filters', async () => {
  const { task_id } = await draftedTask(service, { topic: 'Salt trade in the west' })
  await draftedTask(service, { topic: 'Salt trade in the east' })
  const cursorAt = async (path: string) => (await get(path)).body.next_cursor as string
  const ofTasks = await cursorAt('/api/tasks?limit=1')
  const ofEvents = await cursorAt('/api/pipeline/events?limit=1')
  const ofOne = await cursorAt(`/api/pipeline/events/task/${task_id}?limit=1`)
  const refused = [
    `/api/tasks?status=awaiting_approval&cursor=${ofTasks}`,
    `/api/tasks?since=2020-01-01T00:00:00Z&cursor=${ofTasks}`,
    `/api/posts?cursor=${ofTasks}`,
    `/api/schedule?cursor=${ofTasks}`,
    `/api/pipeline/events?type=drafted&cursor=${ofEvents}`,
    `/api/pipeline/events/task/${task_id}?cursor=${ofEvents}`,
    `/api/pipeline/events?cursor=${ofOne}`
  ]
  for (const path of refused) {
    const { status, body } = await get(path)
    assert.equal(status, 400, path)
    assert.deepEqual(Object.keys(body.errors), ['cursor'], path)
  }
})

test('tasks are listed by category, niche and time', async () => {
  const roads = { topic: 'Salt roads of the Alps', category: 'roads', niche_slug: 'alps' }
  // Drafted, so that it adds no event while the next test reads them.
  const { task_id } = await draftedTask(service, roads)
  const { created_at } = (await get(`/api/tasks/${task_id}`)).body
  const later = new Date(Date.parse(created_at) + 1).toISOString()
  const idsOf = async (query: string) => {
    const { status, body } = await get(`/api/tasks?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.total, body.items.length)
    return body.items.map((item: { task_id: string }) => item.task_id)
  }
  assert.deepEqual(await idsOf('category=roads'), [task_id])
  assert.deepEqual(await idsOf('niche_slug=alps'), [task_id])
  assert.deepEqual(await idsOf(`since=${created_at}`), [task_id])
  assert.deepEqual(await idsOf(`since=${later}`), [])
  assert.deepEqual(await idsOf(`category=roads&until=${created_at}`), [])
  assert.deepEqual(await idsOf('category=rivers'), [])
})

test('events are listed by type, actor and time', async () => {
  const { task_id } = await draftedTask(service, { topic: 'Salt mines of the Alps' })
  const list = async (query: string) => (await get(`/api/pipeline/events?limit=100&${query}`)).body
  const drafted = await list('type=qa_failed')
  assert.ok(drafted.items.length > 0)
  assert.equal(drafted.total, drafted.items.length)
  assert.ok(drafted.items.every(({ type }: { type: string }) => type === 'qa_failed'))
  assert.equal(drafted.items[0].task_id, task_id)
  const [{ at, actor }] = drafted.items
  assert.equal((await list(`type=qa_failed&since=${at}`)).total, 1)
  assert.equal((await list(`type=qa_failed&until=${at}`)).total, drafted.total - 1)
  assert.equal((await list(`actor=${actor}&type=qa_failed`)).total, drafted.total)
  assert.equal((await list('actor=nobody')).total, 0)
})

test('a period that is none is refused, naming each end', async () => {
  const both = (await get('/api/pipeline/events?since=yesterday&until=2026-13-01T00:00:00Z')).body
  assert.deepEqual(Object.keys(both.errors), ['since', 'until'])
  const turned = (await get('/api/tasks?since=2026-02-01T00:00:00Z&until=2026-01-01T00:00:00Z')).body
  assert.deepEqual(Object.keys(turned.errors), ['until'])
})
