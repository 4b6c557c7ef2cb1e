import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStorage } from '../../../plugins/storage/registry.ts'

test('an address is refused when its driver does not answer, and the driver is named', async () => {
  const storage = createStorage({ probeSeconds: 0.001 })
  const open = () => assert.fail('nothing is opened')
  storage.addDriver('silent', { faultOf: () => null, probe: () => new Promise(() => {}), open })
  assert.match(
    (await storage.probe('silent://place')) ?? '',
    /^cannot be used: the storage driver for silent: did not answer/
  )
  assert.equal(await storage.probe('unknown://place'), null)
})
