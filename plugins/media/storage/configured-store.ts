import path from 'node:path'
import type { Installation, Settings } from '#core'
import type { Storage } from '#plugins/storage'
import type { MediaSettings } from '../settings.ts'
import { createMediaStore, type MediaStore } from './media-store.ts'

/** The store that `media_store` names at each call. */
export function createConfiguredStore(
  storage: Storage,
  settings: Pick<Settings<MediaSettings>, 'get'>,
  { home }: Pick<Installation, 'home'>
): MediaStore {
  return createMediaStore(() => {
    const address = settings.get('media_store')
    return storage.open(address === 'file:' ? `file:${path.join(home, 'media')}` : address, { setting: 'media_store' })
  })
}
