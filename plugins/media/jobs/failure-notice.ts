import type { Notice } from '#plugins/notify'
import { truncateText } from '#text/excerpts'

/** Tells the operator that a post has no media. */
export const failureNotice = (failed: { post_id: string; title: string; reason: string }): Notice => ({
  title: `No media could be made of: ${truncateText(failed.title, 300)}`,
  lines: [
    truncateText(failed.reason, 500),
    'The post is published as it is. Once the cause is gone, ask again:',
    `galley media generate ${failed.post_id}`
  ],
  actions: []
})
