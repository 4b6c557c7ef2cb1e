import { test } from 'node:test'
import type { Plugin } from '../../core/contract/plugin.ts'
import { checkRoutes, laws } from '../../testing/laws.ts'
import guestbook from '../fixtures/plugins/guestbook/plugin.ts'
import { bootPlugins, loadConfigured } from '../helpers/kernel.ts'

// Its database throws: a plugin that did I/O in setup, or to add its routes, would not get here.
const kernel = bootPlugins([...(await loadConfigured()), guestbook as Plugin])
const app = await kernel.createApp()
const document = app.swagger()
await app.close()

for (const loaded of kernel.plugins) {
  for (const [title, check] of laws) {
    test(`the plugin ${loaded.plugin.name} ${title}`, () => check(loaded))
  }
}

test('every route has a name of its own, a line that says what it does, and a group', () => checkRoutes(document))
