import path from 'node:path'
import { type Check, critical, ok, type Settings, type SettingsStore } from '#core'
import type { Storage } from '#plugins/storage'
import type { MediaSettings } from '../settings.ts'
import { isHome } from './configured-store.ts'
import { findScarceDisk } from './free-space.ts'
import { mediaFolders } from './media-store.ts'

/** Refuses values of `media_store` that name no place, or one that cannot be used for certain. */
export const checkStoreSetting = (store: SettingsStore, storage: Storage): void =>
  store.check(
    'media_store',
    address => (isHome(address) ? null : storage.faultOf(address)),
    async address => (isHome(address) ? null : storage.probe(address))
  )

interface InstallationFolders {
  home: string
  /** Where media are made. */
  work: string
}

/** Whether media can be stored, and whether there is room for more of them, for `galley doctor`. */
export const storeCheck = (
  storage: Storage,
  settings: Pick<Settings<MediaSettings>, 'get'>,
  installation: InstallationFolders
): Check => ({
  name: 'media store',
  async run() {
    const address = settings.get('media_store')
    const fault = isHome(address) ? null : (storage.faultOf(address) ?? (await storage.probe(address)))
    if (fault !== null)
      return critical(`media_store is ${address}, which ${fault}.`, 'Correct it with galley settings set.')
    const { home, work } = installation
    const store = isHome(address) ? path.join(home, 'media') : folderOf(storage, address)
    const stored = store === null ? [] : [store, ...mediaFolders.map(name => path.join(store, name))]
    const scarce =
      (await findScarceDisk({ home, folders: stored, remedy: storeRemedy })) ??
      (await findScarceDisk({ home, folders: [work], remedy: workRemedy }))
    return scarce ?? ok(`media lie in ${isHome(address) ? 'the home' : address}`)
  }
})

/** The folder of a store that is one; null for a bucket, and for the place of another plugin. */
const folderOf = (storage: Storage, address: string): string | null =>
  address.startsWith('file:') ? storage.open(address, { setting: 'media_store' }).name : null

const storeRemedy =
  'Make room, or move the files to a larger disk and name it with media_store. galley media remove POST_ID removes the audio and films of a post.'
const workRemedy = 'Make room: a smaller speech_cache_mb has spoken sentences removed sooner.'
