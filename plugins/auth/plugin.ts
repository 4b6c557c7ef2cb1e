import {
  AuthenticatorService,
  ClientProvisionerService,
  CONTRACT,
  definePlugin,
  SettingsStoreService,
  SigningSecretService
} from '#core'
import { authChecks } from './checks.ts'
import { createClients } from './clients.ts'
import { authRoutes } from './routes.ts'
import { allSettings } from './settings.ts'
import { createTokens } from './tokens.ts'

export default definePlugin({
  name: 'auth',
  contract: CONTRACT,
  describe: 'OAuth clients and access tokens',
  needs: { store: SettingsStoreService, signing: SigningSecretService },
  provides: { authenticator: AuthenticatorService, provisioner: ClientProvisionerService },
  settings: allSettings,
  setup({ needs: { store, signing }, settings, db, changes, installation, now }) {
    const clients = createClients({ db, changes, store })
    const tokens = createTokens({ db, changes, settings, store, installation, now })
    return {
      services: { authenticator: tokens, provisioner: clients },
      routes: authRoutes({ clients, tokens, installation }),
      commands: {
        auth: {
          describe: 'OAuth clients and access tokens',
          load: async () => (await import('./commands/auth.ts')).authCommands({ clients, tokens, store, signing })
        }
      },
      checks: authChecks(settings)
    }
  }
})
