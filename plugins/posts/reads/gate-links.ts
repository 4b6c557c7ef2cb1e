import type { Db } from '#core'
import type { PostLinks } from '#plugins/gates'
import { findRefs } from '../repository/ids.ts'
import type { Links } from './links.ts'

/** The links in messages about posts that wait at a gate, or were decided there. */
export const createGateLinks = (db: Db, links: Links, preview: PostLinks['preview']): PostLinks => ({
  preview,
  async published(post_id) {
    const [post] = await findRefs(db, [post_id])
    return post?.status === 'published' ? links.post(post.slug) : null
  }
})
