import { batched } from '#concurrency'
import { type Changes, type Db, isUuid, type Tx } from '#core'
import type { Posts } from '#plugins/posts'
import { mediaCacheTag } from '../cache-tag.ts'
import { listKinds } from '../repository/files.ts'
import { listPlaced, type PlacedFileRow, replacePlaced } from '../repository/placed.ts'
import type { MediaStore } from '../storage/media-store.ts'
import { offeredKinds } from './kinds.ts'

/** Files that an operator puts into the store by the id of their post. Lists and feeds have them once they were looked for. */
export interface PlacedFiles {
  /** Looks through the store. @returns the posts whose files are others now */
  refresh(): Promise<number>
}

export interface PlacedFileDeps {
  db: Db
  posts: Pick<Posts, 'lock' | 'refs' | 'setMedia'>
  store: Pick<MediaStore, 'list' | 'stat'>
  changes: Changes
}

const extensions: ReadonlySet<string> = new Set(['mp3', 'mp4', 'vtt', 'srt', 'json'])
/** In memory while the store is looked through. */
const maxPlaced = 100_000
const postsAtOnce = 100

export const createPlacedFiles = (deps: PlacedFileDeps): PlacedFiles => ({
  refresh: async () => {
    const found = byPost(await findPlaced(deps.store))
    const known = byPost(await listPlaced(deps.db))
    const changed = [...new Set([...found.keys(), ...known.keys()])]
      .filter(post_id => textOf(found.get(post_id)) !== textOf(known.get(post_id)))
      .sort()
    let count = 0
    for (const batch of batched(changed, { maxItems: postsAtOnce })) count += await writeChanged(deps, batch, found)
    return count
  }
})

type FilesByPost = ReadonlyMap<string, readonly PlacedFileRow[]>

const byPost = (files: readonly PlacedFileRow[]): FilesByPost => Map.groupBy(files, ({ post_id }) => post_id)

const textOf = (files: readonly PlacedFileRow[] = []): string =>
  files
    .map(({ extension, bytes }) => `${extension} ${bytes}`)
    .sort()
    .join()

async function findPlaced(store: PlacedFileDeps['store']): Promise<PlacedFileRow[]> {
  const files: PlacedFileRow[] = []
  for await (const key of store.list('episodes')) {
    const [, post_id = '', extension = ''] = /^episodes\/([^.]+)\.(.+)$/.exec(key) ?? []
    // What is made here is named by its hash.
    if (!isUuid(post_id) || !extensions.has(extension)) continue
    const file = await store.stat(key)
    if (file !== null) files.push({ post_id, extension, bytes: file.bytes })
    if (files.length === maxPlaced) break
  }
  return files
}

/** The posts are locked in the order of their ids, as by everybody who locks several. */
async function writeChanged(deps: PlacedFileDeps, changed: readonly string[], found: FilesByPost): Promise<number> {
  const { db, posts, changes } = deps
  return db.transaction(async tx => {
    const refs = await posts.refs(tx, changed)
    const post_ids = changed.filter(post_id => refs.has(post_id))
    for (const post_id of post_ids) await posts.lock(tx, post_id)
    await replacePlaced(
      tx,
      changed,
      post_ids.flatMap(post_id => found.get(post_id) ?? [])
    )
    await writeOffered(deps, tx, post_ids)
    await changes.touch(tx, mediaCacheTag)
    return post_ids.length
  })
}

async function writeOffered({ posts }: PlacedFileDeps, tx: Tx, post_ids: readonly string[]): Promise<void> {
  const kinds = Map.groupBy(await listKinds(tx, post_ids), ({ post_id }) => post_id)
  for (const post_id of post_ids)
    await posts.setMedia(tx, post_id, { media: offeredKinds(kinds.get(post_id) ?? []) }, { actor: 'media' })
}
