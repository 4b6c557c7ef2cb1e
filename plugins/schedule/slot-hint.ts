import type { WantedSlot } from '#plugins/posts'

/** How an operator gives a post a slot, for messages of the plugins that take one away or refuse another. */
export const slotHint = ({ post_id, slot, replacesSlot }: WantedSlot): string =>
  `"schedule at ${post_id} ${slot}${replacesSlot ? ' --force' : ''}" (POST /api/schedule)`
