import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { serverAudits } from 'graphql-http'
import { startService, type TestService } from '../../helpers/service.ts'

let service: TestService
before(async () => {
  service = await startService({ worker: false })
})
after(() => service.close())

for (const audit of serverAudits({ url: () => `${service.url}/graphql` })) {
  test(`GraphQL over HTTP: ${audit.name}`, async () => {
    const result = await audit.fn()
    assert.equal(result.status, 'ok', 'reason' in result ? result.reason : undefined)
  })
}
