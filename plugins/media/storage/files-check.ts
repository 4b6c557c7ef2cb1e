import { type Check, type Db, degraded, ok } from '#core'
import { listOuterKeys } from '../repository/files.ts'
import type { MediaStore } from './media-store.ts'

interface FilesCheckDeps {
  db: Db
  store: Pick<MediaStore, 'stat'>
}

/** A bucket is asked for each, all at once: a slow one would take longer than a check may. */
const perEnd = 5

/** Whether what was made is in the store, by the oldest and the newest files: another media_store begins empty. */
export const filesCheck = ({ db, store }: FilesCheckDeps): Check => ({
  name: 'media files',
  async run() {
    const keys = await listOuterKeys(db, perEnd)
    const found = await Promise.all(keys.map(key => store.stat(key)))
    const first = keys.find((_, at) => found[at] === null)
    if (first === undefined) return ok('what was made is in the media store')
    return degraded(
      `Readers do not get media that were made: ${first} is not in the media store.`,
      'If media_store was changed, copy the folders images and episodes from the former place. Else have them made again: galley media generate POST_ID.'
    )
  }
})
