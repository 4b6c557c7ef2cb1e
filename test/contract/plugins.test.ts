import { test } from 'node:test'
import { AuthenticatorService } from '../../core/contract/access.ts'
import type { Plugin } from '../../core/contract/plugin.ts'
import type { Needs, Provides } from '../../core/contract/services.ts'
import { checkRoutes, laws } from '../../testing/laws.ts'
import guestbook from '../fixtures/plugins/guestbook/plugin.ts'
import { bootPlugins, loadConfigured } from '../helpers/kernel.ts'

// Its database throws: a plugin that did I/O in setup, or to add its routes, would not get here.
const configured = await loadConfigured()
const kernel = bootPlugins([...configured, guestbook as Plugin])
const app = await kernel.createApp()
const { routes } = app.apiDescription
await app.close()

for (const loaded of kernel.plugins) {
  for (const [title, check] of laws) {
    test(`the plugin ${loaded.plugin.name} ${title}`, () => check(loaded))
  }
}

test('every route has a name of its own, a line that says what it does, and a group', () => checkRoutes(routes))

// Without one that checks tokens no service starts.
const needed = new Set([
  AuthenticatorService.id,
  ...kernel.plugins.flatMap(({ plugin }) =>
    Object.values((plugin.needs ?? {}) as Needs)
      .filter(token => !('optional' in token))
      .map(({ id }) => id)
  )
])
const provided = (plugin: Plugin): string[] => Object.values((plugin.provides ?? {}) as Provides).map(({ id }) => id)

for (const plugin of configured.filter(each => !provided(each).some(id => needed.has(id)))) {
  test(`the service boots without the plugin ${plugin.name}`, async () => {
    const rest = configured.filter(each => each !== plugin)
    const others = await bootPlugins(rest).createApp()
    await others.close()
  })
}
