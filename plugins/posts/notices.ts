import type { Notice } from '#plugins/notify'
import { truncateText } from '#text/excerpts'

/** Tells the operator of a post that was skipped at its slot. */
export const skippedNotice = ({ post_id, title }: { post_id: string; title: string }): Notice => ({
  title: `A post was skipped at its slot: ${truncateText(title, 300)}`,
  lines: [
    'It has no niche_slug, and niche_gated_publishing is on. It is published when it gets one, or by force:',
    `galley posts publish ${post_id} --force`
  ],
  actions: []
})
