import type { Tx } from '#core'
import type { MediaChange } from './contract/media.ts'
import type { PostDecision } from './contract/post-ref.ts'
import { updateMedia } from './repository/media.ts'
import type { PostTransitions } from './transitions.ts'

/** Writes what a post offers beside its text. The post's history does not mention it: the text is the same. */
export async function setMedia(
  tx: Tx,
  transitions: Pick<PostTransitions, 'emitEdited' | 'touch'>,
  post_id: string,
  media: MediaChange,
  { actor }: Pick<PostDecision, 'actor'>
): Promise<void> {
  const changed = await updateMedia(tx, post_id, media)
  // Only answers without a token are cached, and those do not show the state. A new state alone invalidates nothing.
  if (changed?.has_other_kinds !== true) return
  await transitions.touch(tx)
  const { slug, is_offered_anew } = changed
  if (is_offered_anew) await transitions.emitEdited(tx, { post_id, slug, previous_slug: slug, actor })
}
