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
  return createMediaStore(() =>
    storage.open(
      isHome(settings.get('media_store')) ? `file:${path.join(home, 'media')}` : settings.get('media_store'),
      {
        setting: 'media_store'
      }
    )
  )
}

/** The folder `media` in the home. */
export const isHome = (address: string): boolean => address === '' || address === 'file:'
