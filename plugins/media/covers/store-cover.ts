import type { Db, Tx } from '#core'
import type { Posts, PublishedPosts } from '#plugins/posts'
import { type Images, imageTypes, type StoredImage } from '../images/images.ts'
import {
  type CoverRow,
  findCover,
  isCoverInUse,
  lockCovers,
  markRemoved,
  markTakenBack,
  saveCover
} from '../repository/covers.ts'
import { type CoverPlan, sourceHash } from './source.ts'

export interface CoverStoreDeps {
  db: Db
  published: PublishedPosts
  posts: Pick<Posts, 'lock' | 'setFeaturedImage' | 'isImageNamed'>
  images: Images
}

/** Makes a cover unless the post has it already. Null when the post is not public by then. */
export async function makeCover(
  deps: CoverStoreDeps,
  post_id: string,
  plan: CoverPlan,
  signal: AbortSignal
): Promise<StoredImage | null> {
  const { db, published, posts, images } = deps
  const source_hash = sourceHash(plan)
  const made = await findCover(db, post_id)
  const isMade = made?.is_stored && made.source_hash === source_hash && (await images.isStored(made.filename))
  const picture = isMade ? null : await plan.make(signal)
  // Before the transaction: a bucket that answers late must not hold its locks.
  const image = picture === null ? null : await images.store(picture)
  const stored = await db.transaction(async tx => {
    // While the post is locked nobody withdraws it: else a cover could be stored after its removal.
    await posts.lock(tx, post_id)
    if (!(await published.isPublic(tx, post_id))) return null
    await lockCovers(tx)
    // A removal of the same bytes may have overtaken them. None does any more.
    if (picture !== null && image !== null && !(await images.isStored(image.filename))) await images.store(picture)
    return storeCover(deps, tx, { post_id, source_hash }, image)
  })
  const unused = stored === null ? image?.filename : stored.replaced
  if (unused !== undefined) await removeUnused(deps, unused)
  return stored?.image ?? null
}

interface StoredCover {
  image: StoredImage
  /** The file that the post had before. */
  replaced: string | undefined
}

async function storeCover(
  { posts, images }: CoverStoreDeps,
  tx: Tx,
  cover: Pick<CoverRow, 'post_id' | 'source_hash'>,
  made: StoredImage | null
): Promise<StoredCover | null> {
  const before = await findCover(tx, cover.post_id)
  const image = made ?? (before && imageOf(images, before))
  if (image === undefined) return null
  const { filename, width, height, bytes } = image
  if (made !== null) await saveCover(tx, { ...cover, filename, width, height, bytes })
  else if (before?.is_taken_back) await markTakenBack(tx, cover.post_id, false)
  const isReplaceable = (url: string) => before !== undefined && isAddressOf(url, before.filename)
  await posts.setFeaturedImage(tx, cover.post_id, { url: image.url, isReplaceable }, { actor: 'media' })
  return { image, replaced: before?.filename === filename ? undefined : before?.filename }
}

/** Removes the file of a post that is not public. What it was is remembered, so that another can take its place. */
export async function removeCover(deps: CoverStoreDeps, post_id: string): Promise<void> {
  const { db, published, posts } = deps
  const cover = await db.transaction(async tx => {
    await posts.lock(tx, post_id)
    if (await published.isPublic(tx, post_id)) return undefined
    await lockCovers(tx)
    await markRemoved(tx, post_id)
    return findCover(tx, post_id)
  })
  if (cover !== undefined) await removeUnused(deps, cover.filename)
}

/**
 * Two posts with the same title share a file, and a person may have given its address to any other post. No cover is stored
 * meanwhile, so that none is stored with a file that is about to go.
 */
async function removeUnused({ db, images, posts }: CoverStoreDeps, filename: string): Promise<void> {
  await db.transaction(async tx => {
    await lockCovers(tx)
    if ((await isCoverInUse(tx, filename)) || (await posts.isImageNamed(tx, filename))) return
    await images.remove(filename)
  })
}

/** Whether an address is that of a file, whatever the address of the service was then. */
export const isAddressOf = (url: string, filename: string): boolean => url.endsWith(`/images/generated/${filename}`)

const imageOf = (images: Images, { filename, width, height, bytes }: CoverRow): StoredImage => ({
  filename,
  url: images.urlOf(filename),
  width,
  height,
  bytes,
  content_type: imageTypes[filename.slice(filename.lastIndexOf('.') + 1)] ?? ''
})
