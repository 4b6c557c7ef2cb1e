import { CONTRACT, definePlugin } from '../contract/plugin.ts'
import { heartbeatSettings } from '../health/heartbeat.ts'
import { httpSettings } from '../http/settings.ts'
import { coreSettings } from './core-settings.ts'
import { settingsRoutes } from './routes.ts'
import { type SettingsStore, SettingsStoreService } from './types.ts'

/** The built-in that brings the settings' routes and the kernel's own settings, written like any plugin. */
export const settingsPlugin = (store: SettingsStore) =>
  definePlugin({
    name: 'settings',
    contract: CONTRACT,
    describe: 'Runtime settings: read and changed through the API and the CLI',
    provides: { store: SettingsStoreService },
    settings: { ...coreSettings, ...httpSettings, ...heartbeatSettings },
    setup: () => ({
      services: { store },
      routes: settingsRoutes(store),
      graphql: async () => (await import('./graphql.ts')).settingsGraphql(store)
    })
  })
