import path from 'node:path'
import type { Installation, Settings } from '#core'
import type { MediaSettings } from '../settings.ts'
import { createFileStore } from './file-store.ts'
import type { MediaStore } from './media-store.ts'

/** The store that `media_store` names at each call. */
export function createConfiguredStore(
  settings: Pick<Settings<MediaSettings>, 'get'>,
  { home }: Pick<Installation, 'home'>
): MediaStore {
  const chosen = () => createFileStore(storeRoot(settings.get('media_store'), home))
  return {
    put: (folder, extension, content) => chosen().put(folder, extension, content),
    get: key => chosen().get(key),
    stat: key => chosen().stat(key),
    list: folder => chosen().list(folder),
    delete: key => chosen().delete(key),
    clean: () => chosen().clean()
  }
}

function storeRoot(address: string, home: string): string {
  const folder = address.replace(/^file:\/*/, '')
  return folder === '' ? path.join(home, 'media') : path.resolve(`/${folder}`)
}
