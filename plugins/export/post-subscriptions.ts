import { allEnded } from '#concurrency'
import { on, type Subscription } from '#core'
import { CategoryDescribed, PostEdited, PostPublished, PostWithdrawn } from '#plugins/posts'
import type { Exports } from './exports.ts'

/** Has the export follow the changes of public posts. */
export const followPosts = (
  exports: Pick<Exports, 'countWithdrawal' | 'withdraw'>,
  requestRefresh: () => Promise<void>,
  markCategoryChanged: (slug: string) => Promise<void>
): Subscription[] => [
  on(PostPublished, requestRefresh, { maxBatch: 250 }),
  on(PostEdited, requestRefresh),
  on(CategoryDescribed, async ({ slug }) => {
    await markCategoryChanged(slug)
    await requestRefresh()
  }),
  // The refresh updates what shows the post. Its own files do not wait for it: they are removed here.
  on(PostWithdrawn, async ({ post_id, slug }) => {
    await exports.countWithdrawal(post_id, slug)
    await allEnded([exports.withdraw(post_id, slug), requestRefresh()])
  })
]
