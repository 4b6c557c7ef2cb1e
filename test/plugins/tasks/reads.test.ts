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

for (const body of [{ tags: ['  '] }, { category: ' ' }, { niche_slug: '\t' }, { style: ' ' }, { tone: ' ' }]) {
  test(`a task with ${JSON.stringify(body)} is refused`, async () => {
    const answer = await service.bearer('POST', '/api/tasks', { topic: 'Salt trade', ...body })
    assert.equal(answer.status, 400, JSON.stringify(answer.body))
  })
}
