import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { recordAudit } from '../../../core/index.ts'
import { auditLog } from '../../../plugins/events/audit-log.ts'
import { eventsCommand } from '../../../plugins/events/commands/events.ts'
import { createEventLogs } from '../../../plugins/events/logs.ts'
import { startService, type TestService } from '../../helpers/service.ts'

let service: TestService
before(async () => {
  service = await startService({ worker: false })
})
after(() => service.close())

test('--follow shows what comes while it begins', async () => {
  const record = (event_type: string) =>
    service.db.transaction(tx => recordAudit(tx, { event_type, actor: 'operator', details: {} }))
  await record('before.one')
  await record('before.two')
  const log = auditLog(service.db)
  const list: typeof log.list = async (filter, limit) => {
    const found = await log.list(filter, limit)
    await record('between')
    return found
  }
  const after: typeof log.after = async (filter, id, limit) => {
    const found = await log.after(filter, id, limit)
    await record('last')
    return found
  }
  const stop = new AbortController()
  const printed: string[] = []
  const print = (line: string) => {
    printed.push(JSON.parse(line).event_type)
    if (printed.at(-1) === 'last') stop.abort()
  }
  const command = eventsCommand(createEventLogs({ ...log, list, after }), () => new Date())
  await command.run({
    args: { audit: true, follow: true, limit: 1, type: undefined, since: undefined },
    isJson: true,
    actor: 'operator',
    terminal: { signal: stop.signal, timeZone: 'UTC' } as never,
    output: { print, closed: new AbortController().signal }
  })
  assert.deepEqual(printed.slice(0, 3), ['before.two', 'between', 'last'])
})
