import type { Db, Tx } from '#core'
import type { Covers } from '../covers/covers.ts'
import { deleteFile, listFiles } from '../repository/files.ts'
import type { MediaStore } from '../storage/media-store.ts'

export interface LostFilesDeps {
  db: Db
  store: Pick<MediaStore, 'stat'>
  covers: Pick<Covers, 'isLost'>
}

/** A file of a post that somebody removed from the store. A cover has no `extension`. */
interface LostFile {
  kind: string
  extension?: string
}

/** Before a transaction: a bucket that answers late must not hold its locks. */
export async function listLost({ db, store, covers }: LostFilesDeps, post_id: string): Promise<LostFile[]> {
  const files = await listFiles(db, post_id)
  const found = await Promise.all(files.map(({ key }) => store.stat(key)))
  const lost: LostFile[] = files.filter((_, at) => found[at] === null)
  return (await covers.isLost(post_id)) ? [...lost, { kind: 'image' }] : lost
}

/** Forgets those of some kinds, so that they are made again: a cover is in any case. @returns whether there are any */
export async function forgetLost(
  tx: Tx,
  post_id: string,
  { lost, kinds }: { lost: readonly LostFile[]; kinds: readonly string[] }
): Promise<boolean> {
  const forgotten = lost.filter(({ kind }) => kinds.includes(kind))
  for (const { extension } of forgotten) if (extension !== undefined) await deleteFile(tx, post_id, extension)
  return forgotten.length > 0
}
