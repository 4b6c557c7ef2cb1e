import { on, type Subscription } from '#core'
import { CategoryDescribed, PostEdited, PostPublished, PostWithdrawn } from '#plugins/posts'
import type { Exports } from './exports.ts'

/** The export follows what becomes of public posts. */
export const followPosts = (
  exports: Pick<Exports, 'withdraw'>,
  requestRefresh: () => Promise<void>
): Subscription[] => [
  on(PostPublished, requestRefresh, { maxBatch: 250 }),
  on(PostEdited, requestRefresh),
  on(CategoryDescribed, requestRefresh),
  on(PostWithdrawn, async ({ post_id, slug }) => {
    await exports.withdraw(post_id, slug)
    await requestRefresh()
  })
]
