import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type TestService } from '../../helpers/service.ts'
import { draftedTask } from '../../helpers/tasks.ts'
import { startTelegramServer, type TelegramServer } from '../../helpers/telegram-server.ts'
import { until } from '../../helpers/until.ts'

let telegram: TelegramServer
let service: TestService
before(async () => {
  telegram = await startTelegramServer()
  service = await startService({ leftOut: ['memory'], settings: telegram.settings() })
})
after(async () => {
  await service.close()
  await telegram.close()
})

test('without the plugin memory a draft without sources, its check and the message say that it is needed', async () => {
  const task = await draftedTask(service, { topic: 'The economics of medieval salt trade' })
  assert.equal(task.status, 'rejected')
  assert.match(String(task.reason), /salt trade": add the plugin memory to plugins\.config\.json, store texts about it/)
  assert.match(String(task.content), /Texts need the plugin memory: add it to plugins\.config\.json\. Store texts/)
  const words = /Sources need the plugin memory in plugins\.config\.json; the settings/
  await until(() => telegram.messages.some(({ text }) => words.test(text)), String(words))
})
