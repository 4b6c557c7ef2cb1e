import { type Check, degraded, ok, type Settings } from '#core'
import type { authSettings } from './settings.ts'

/** What `galley doctor` asks of the clients and tokens. */
export const authChecks = (settings: Pick<Settings<typeof authSettings>, 'get'>): Check[] => [
  {
    name: 'development mode',
    run: async () =>
      settings.get('development_mode')
        ? degraded(
            'development_mode is on: anybody on this machine can change posts and settings with the token dev-token.',
            'Switch it off with galley settings set development_mode false.'
          )
        : ok('development_mode is off')
  }
]
