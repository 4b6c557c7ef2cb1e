import type { Db } from '#core'
import type { Covers } from '../covers/covers.ts'
import { deleteFile, listFiles } from '../repository/files.ts'
import type { MediaStore } from '../storage/media-store.ts'

export interface LostFilesDeps {
  db: Db
  store: Pick<MediaStore, 'stat'>
  covers: Pick<Covers, 'isLost'>
}

/** Forgets the files of a post that somebody removed from the store. @returns whether one is gone, its cover counted */
export async function forgetLost({ db, store, covers }: LostFilesDeps, post_id: string): Promise<boolean> {
  const files = await listFiles(db, post_id)
  const found = await Promise.all(files.map(({ key }) => store.stat(key)))
  const lost = files.filter((_, at) => found[at] === null)
  for (const { extension } of lost) await deleteFile(db, post_id, extension)
  return lost.length > 0 || (await covers.isLost(post_id))
}
