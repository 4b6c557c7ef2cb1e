import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { applyPluginStartLimit } from '../../cli/config/plugin-start-limit.ts'
import { setStartSeconds, startSeconds } from '../../core/isolation/deadline.ts'

after(() => setStartSeconds(10))

test('the environment says how long a step of a plugin’s start may take', async () => {
  await applyPluginStartLimit({})
  assert.equal(startSeconds(), 10)
  await applyPluginStartLimit({ GALLEY_PLUGIN_START_SECONDS: '2.5' })
  assert.equal(startSeconds(), 2.5)
})

for (const text of ['0', '-1', '3601', 'soon', '10 s', 'Infinity'])
  test(`${text} is refused, naming the variable`, async () => {
    await assert.rejects(applyPluginStartLimit({ GALLEY_PLUGIN_START_SECONDS: text }), {
      summary: `GALLEY_PLUGIN_START_SECONDS is "${text}"`
    })
  })
