import { type Check, critical, ok, type SettingsStore } from '#core'
import type { Storage } from '#plugins/storage'
import { isHome } from './configured-store.ts'

/** Refuses values of `media_store` that name no place, or one that cannot be used for certain. */
export const checkStoreSetting = (store: SettingsStore, storage: Storage): void =>
  store.check(
    'media_store',
    address => (isHome(address) ? null : storage.faultOf(address)),
    async address => (isHome(address) ? null : storage.probe(address))
  )

/** Whether media can be stored, for `galley doctor`. */
export const storeCheck = (storage: Storage, addressOf: () => string): Check => ({
  name: 'media store',
  async run() {
    const address = addressOf()
    if (isHome(address)) return ok('media lie in the home')
    const fault = storage.faultOf(address) ?? (await storage.probe(address))
    if (fault === null) return ok(`media lie in ${address}`)
    return critical(`media_store is ${address}, which ${fault}.`, 'Correct it with galley settings set.')
  }
})
