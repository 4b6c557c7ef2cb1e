import type { Tx } from '#core'
import type { FeaturedImage, PostDecision } from './contract/post-ref.ts'
import { reopenAfterEdit, writeEdit } from './edits.ts'
import type { PostTransitions } from './transitions.ts'

/** Gives a public post its picture. A picture that a person chose stays. @returns whether the post has the new one now */
export async function setFeaturedImage(
  tx: Tx,
  transitions: PostTransitions,
  { post_id, image }: { post_id: string; image: FeaturedImage },
  by: PostDecision
): Promise<boolean> {
  const post = await transitions.lock(tx, post_id)
  const current = post.featured_image_url
  if (!post.is_public || (current !== null && !image.isReplaceable(current))) return false
  if (current === image.url) return true
  const edit = { patch: { featured_image_url: image.url }, rendered: undefined }
  await reopenAfterEdit(tx, transitions, post, await writeEdit(tx, transitions, post, edit, by), by)
  return true
}

/** Takes a picture back from a post that is not public. @returns whether it had it */
export async function takeBackFeaturedImage(
  tx: Tx,
  transitions: PostTransitions,
  { post_id, isMatch }: { post_id: string; isMatch: (url: string) => boolean },
  by: PostDecision
): Promise<boolean> {
  const post = await transitions.lock(tx, post_id)
  const current = post.featured_image_url
  if (post.is_public || current === null || !isMatch(current)) return false
  const edit = { patch: { featured_image_url: null }, rendered: undefined }
  await reopenAfterEdit(tx, transitions, post, await writeEdit(tx, transitions, post, edit, by), by)
  return true
}
