import { GraphqlModulesService, type NamedGraphqlModule } from '../contract/graphql.ts'
import { CONTRACT, definePlugin } from '../contract/plugin.ts'
import { httpSettings } from '../http/settings.ts'
import { installationSettings } from '../settings/installation-settings.ts'
import { type SettingsStore, SettingsStoreService } from '../settings/types.ts'
import { type SigningSecret, SigningSecretService } from '../signing-secret.ts'

/** The settings of the kernel itself. */
export const kernelSettings = { ...installationSettings, ...httpSettings }

interface CoreServices {
  store: SettingsStore
  signing: SigningSecret
  graphqlModules: readonly NamedGraphqlModule[]
}

/** The kernel's own services and settings, offered to plugins as plugins offer theirs. */
export const corePlugin = (services: CoreServices) =>
  definePlugin({
    name: 'core',
    contract: CONTRACT,
    describe: 'The kernel: its settings, the store of all settings, the signing secret',
    provides: { store: SettingsStoreService, signing: SigningSecretService, graphqlModules: GraphqlModulesService },
    settings: kernelSettings,
    setup: () => ({ services })
  })
