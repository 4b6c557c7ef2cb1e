import { CONTRACT, definePlugin, SettingsStoreService } from '#core'
import { settingsRoutes } from './routes.ts'

export default definePlugin({
  name: 'settings',
  contract: CONTRACT,
  describe: 'Runtime settings over HTTP: read and changed by clients',
  needs: { store: SettingsStoreService },
  setup: ({ needs: { store } }) => ({
    services: {},
    routes: settingsRoutes(store),
    graphql: async () => (await import('./graphql.ts')).settingsGraphql(store)
  })
})
